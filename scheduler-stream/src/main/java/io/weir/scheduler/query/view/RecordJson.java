package io.weir.scheduler.query.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON, field by field under the names their schemas give them: instants in ISO 8601, closed sets by their
 * symbols, absent values as null. Lists of counts and of measurements become one object by name.
 */
public final class RecordJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Records of a name and a number; a name occurs once in a list of them. */
    private static final Set<String> BY_NAME = Set.of("NameCount", "Measurement", "TopicCount");

    private RecordJson() {}

    public static ObjectNode of(SpecificRecord record) {
        return of(record, field -> true);
    }

    /** Returns those fields of a record that {@code wanted} chooses. */
    static ObjectNode of(SpecificRecord record, Predicate<String> wanted) {
        ObjectNode object = JSON.objectNode();
        for (Schema.Field field : record.getSchema().getFields()) {
            if (wanted.test(field.name())) {
                object.set(field.name(), value(record.get(field.pos()), field.schema()));
            }
        }
        return object;
    }

    static ArrayNode array(Iterable<? extends SpecificRecord> records) {
        ArrayNode array = JSON.arrayNode();
        records.forEach(record -> array.add(of(record)));
        return array;
    }

    private static JsonNode value(@Nullable Object value, Schema schema) {
        if (value instanceof SpecificRecord record) {
            return of(record);
        } else if (value instanceof List<?> list) {
            return list(list, schema.getElementType());
        } else if (value instanceof Integer number) {
            return JSON.numberNode(number);
        } else if (value instanceof Long number) {
            return JSON.numberNode(number);
        } else if (value instanceof Double number) {
            return JSON.numberNode(number);
        } else if (value instanceof Boolean flag) {
            return JSON.booleanNode(flag);
        } else if (value == null) {
            return JSON.nullNode();
        }
        return JSON.textNode(value instanceof Instant instant ? instant.toString() : value.toString());
    }

    private static JsonNode list(List<?> list, Schema element) {
        if (element.getType() == Schema.Type.RECORD && BY_NAME.contains(element.getName())) {
            ObjectNode object = JSON.objectNode();
            for (Object item : list) {
                SpecificRecord record = (SpecificRecord) item;
                object.set(
                        record.get(0).toString(),
                        value(record.get(1), element.getFields().get(1).schema()));
            }
            return object;
        }
        ArrayNode array = JSON.arrayNode();
        list.forEach(item -> array.add(value(item, element)));
        return array;
    }
}
