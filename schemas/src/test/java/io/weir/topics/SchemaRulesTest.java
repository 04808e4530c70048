package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Quarantine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** House rules for every schema that crosses a process boundary. */
class SchemaRulesTest {

    private final Map<String, Schema> named = new LinkedHashMap<>();

    SchemaRulesTest() {
        Topics.all().forEach(topic -> collect(topic.schema()));
        collect(Quarantine.getClassSchema());
    }

    @Test
    void shouldDocumentEveryTypeAndField() {
        List<String> undocumented = new ArrayList<>();
        named.forEach((name, schema) -> {
            if (isBlank(schema.getDoc())) {
                undocumented.add(name);
            }
            if (schema.getType() == Schema.Type.RECORD) {
                schema.getFields().stream()
                        .filter(field -> isBlank(field.doc()))
                        .forEach(field -> undocumented.add(name + "." + field.name()));
            }
        });

        assertThat(undocumented).isEmpty();
    }

    @Test
    void shouldGiveEveryEnumADefaultSoThatNewSymbolsCanBeRead() {
        assertThat(named.values())
                .filteredOn(schema -> schema.getType() == Schema.Type.ENUM)
                .isNotEmpty()
                .allSatisfy(schema -> assertThat(schema.getEnumDefault())
                        .as(schema.getFullName())
                        .isNotNull());
    }

    @Test
    void shouldUseUnionsOnlyForNullableFieldsThatDefaultToNull() {
        for (Schema record : records()) {
            for (Schema.Field field : record.getFields()) {
                if (field.schema().getType() == Schema.Type.UNION) {
                    String place = record.getName() + "." + field.name();
                    List<Schema> types = field.schema().getTypes();
                    assertThat(types).as(place).hasSize(2);
                    assertThat(types.get(0).getType()).as(place).isEqualTo(Schema.Type.NULL);
                    assertThat(field.defaultVal()).as(place).isEqualTo(JsonProperties.NULL_VALUE);
                }
            }
        }
    }

    @Test
    void shouldUseNoTypesThatReadersRepresentDifferently() {
        for (Schema record : records()) {
            for (Schema.Field field : record.getFields()) {
                assertThat(field.schema().getType())
                        .as(record.getName() + "." + field.name())
                        .isNotIn(Schema.Type.MAP, Schema.Type.FIXED, Schema.Type.FLOAT);
            }
        }
    }

    @Test
    void shouldStartEveryRecordOfATopicWithItsCluster() {
        for (Topic<?> topic : Topics.all()) {
            if (topic.role() != Topic.Role.DEAD_LETTER) {
                Schema.Field first = topic.schema().getFields().get(0);
                assertThat(first.name()).as(topic.name()).isEqualTo("cluster");
                assertThat(first.schema().getType()).as(topic.name()).isEqualTo(Schema.Type.STRING);
            }
        }
    }

    private List<Schema> records() {
        return named.values().stream()
                .filter(schema -> schema.getType() == Schema.Type.RECORD)
                .toList();
    }

    private void collect(Schema schema) {
        switch (schema.getType()) {
            case RECORD -> {
                if (named.putIfAbsent(schema.getFullName(), schema) == null) {
                    schema.getFields().forEach(field -> collect(field.schema()));
                }
            }
            case ENUM -> named.putIfAbsent(schema.getFullName(), schema);
            case ARRAY -> collect(schema.getElementType());
            case MAP -> collect(schema.getValueType());
            case UNION -> schema.getTypes().forEach(this::collect);
            default -> {}
        }
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }
}
