package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/**
 * Holds the page about topics to the catalogue and the schemas.
 * {@code mvn test -pl schemas -Dtest=TopicsPageTest -Dweir.docs.update=true} writes it.
 */
class TopicsPageTest {
    private static final Path PAGE = Path.of("docs", "topics.md");
    private static final String BEGIN =
            "<!-- topics: begin; made by TopicsPageTest from the catalogue and the schemas -->\n";
    private static final String END = "<!-- topics: end -->";

    @Test
    void shouldDescribeEveryTopicAsItIs() throws IOException {
        String page = Files.readString(PAGE);
        String expected =
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + body() + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE))
                .as("stale: mvn test -pl schemas -Dtest=TopicsPageTest -Dweir.docs.update=true")
                .isEqualTo(expected);
    }

    @Test
    void shouldShowSamplesThatTheSchemasTake() {
        assertThat(Topics.all())
                .allSatisfy(topic -> assertThat(new SampleRecord(topic.schema()).roundTrip())
                        .isEqualTo(new SampleRecord(topic.schema()).record()));
    }

    private static String body() {
        StringBuilder body = new StringBuilder(
                        "\n| topic | record | key | role | cleanup | retention | what it holds |\n")
                .append("|---|---|---|---|---|---|---|\n");
        for (Topic<?> topic : Topics.all()) {
            body.append(row(
                    "[`" + topic.name() + "`](#" + anchor(topic) + ")",
                    topic.type().getSimpleName(),
                    "`" + topic.key() + "`",
                    topic.role().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    topic.cleanup().policy(),
                    retention(topic.retention()),
                    topic.description()));
        }
        Map<String, Schema> shared = new TreeMap<>();
        for (Topic<?> topic : Topics.all()) {
            body.append("\n## ")
                    .append(topic.name())
                    .append("\n\n")
                    .append(topic.schema().getDoc())
                    .append("\n\n");
            fields(topic.schema(), shared, body);
            body.append("\n```json\n")
                    .append(new SampleRecord(topic.schema()).json())
                    .append("\n```\n");
        }
        body.append("\n## Types that several records share\n");
        shared.values().forEach(type -> shared(type, body));
        return body.append('\n').toString();
    }

    private static void shared(Schema type, StringBuilder body) {
        body.append("\n### ")
                .append(type.getName())
                .append("\n\n")
                .append(type.getDoc())
                .append("\n\n");
        if (type.getType() == Schema.Type.RECORD) {
            fields(type, new TreeMap<>(), body);
        } else {
            body.append(type.getEnumSymbols().stream()
                            .map(symbol -> "`" + symbol + "`")
                            .collect(Collectors.joining(", ")))
                    .append('\n');
        }
    }

    private static void fields(Schema schema, Map<String, Schema> shared, StringBuilder body) {
        body.append("| field | type | default | meaning |\n|---|---|---|---|\n");
        for (Schema.Field field : schema.getFields()) {
            body.append(row("`" + field.name() + "`", type(field.schema(), shared), standard(field), field.doc()));
        }
    }

    private static String type(Schema schema, Map<String, Schema> shared) {
        return switch (schema.getType()) {
            case UNION ->
                schema.getTypes().stream()
                        .filter(part -> part.getType() != Schema.Type.NULL)
                        .map(part -> type(part, shared))
                        .collect(Collectors.joining(" or ", "", ", or null"));
            case ARRAY -> "list of " + type(schema.getElementType(), shared);
            case RECORD, ENUM -> {
                if (shared.put(schema.getName(), schema) == null && schema.getType() == Schema.Type.RECORD) {
                    schema.getFields().forEach(field -> type(field.schema(), shared));
                }
                yield "[" + schema.getName() + "](#" + schema.getName().toLowerCase(Locale.ROOT) + ")";
            }
            default ->
                schema.getLogicalType() == null
                        ? schema.getName()
                        : schema.getName() + ", " + schema.getLogicalType().getName();
        };
    }

    private static String standard(Schema.Field field) {
        if (!field.hasDefaultValue()) {
            return "";
        }
        Object value = field.defaultVal();
        return value == JsonProperties.NULL_VALUE ? "null" : "`" + (value.equals("") ? "\"\"" : value) + "`";
    }

    private static String retention(Optional<Duration> kept) {
        return kept.map(time -> time.toDays() > 0 ? time.toDays() + " d" : time.toHours() + " h")
                .orElse("for ever");
    }

    private static String anchor(Topic<?> topic) {
        return topic.name().replace(".", "");
    }

    private static String row(String... cells) {
        return List.of(cells).stream()
                .map(cell -> cell.replace("|", "\\|").replace('\n', ' '))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
