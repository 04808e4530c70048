package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Released schemas are kept, one directory a release, and every later schema must read and be read by each of them: what
 * the registry calls FULL_TRANSITIVE. A release in the making may still be overwritten, by
 *
 * <pre>mvn -q test -pl schemas -Dtest=ReleasedSchemasTest -Dweir.record.schemas=0.1</pre>
 */
class ReleasedSchemasTest {

    private static final Path RELEASED = Path.of("src/test/resources/released");

    @Test
    @EnabledIfSystemProperty(named = "weir.record.schemas", matches = "[0-9.]+")
    void shouldRecordTheSchemasOfARelease() throws IOException {
        Path directory = Files.createDirectories(RELEASED.resolve(System.getProperty("weir.record.schemas")));
        for (Topic<?> topic : Topics.all()) {
            Files.writeString(
                    directory.resolve(topic.type().getSimpleName() + ".avsc"),
                    SchemaFormatter.format("json/pretty", AvroCodec.withoutJavaProperties(topic)) + "\n");
        }
        assertCompatible();
    }

    @Test
    void shouldReadAndBeReadByEveryRelease() throws IOException {
        assertCompatible();
    }

    private static void assertCompatible() throws IOException {
        List<String> problems = new ArrayList<>();
        Map<Path, Schema> releases = releases();
        releases.forEach((path, old) -> {
            Topic<?> topic = Topics.all().stream()
                    .filter(candidate -> candidate.schema().getFullName().equals(old.getFullName()))
                    .findFirst()
                    .orElse(null);
            if (topic == null) {
                problems.add(path + ": no topic holds " + old.getFullName() + " any more");
                return;
            }
            problems.addAll(incompatibilities(path + ", read by this build", topic.schema(), old));
            problems.addAll(incompatibilities(path + ", reading this build's", old, topic.schema()));
        });

        assertThat(releases).hasSizeGreaterThanOrEqualTo(Topics.all().size());
        assertThat(problems).isEmpty();
    }

    private static List<String> incompatibilities(String what, Schema reader, Schema writer) {
        var result = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                .getResult();
        return result.getCompatibility() == SchemaCompatibilityType.COMPATIBLE
                ? List.of()
                : result.getIncompatibilities().stream()
                        .map(found -> what + ": " + found.getLocation() + " " + found.getMessage())
                        .toList();
    }

    private static Map<Path, Schema> releases() throws IOException {
        Map<Path, Schema> schemas = new TreeMap<>();
        try (Stream<Path> files = Files.walk(RELEASED)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".avsc")).toList()) {
                schemas.put(RELEASED.relativize(file), new Schema.Parser().parse(Files.readString(file)));
            }
        }
        return schemas;
    }
}
