package io.weir.scheduler.stream.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.confluent.kafka.schemaregistry.avro.AvroSchemaUtils;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.JournalStatus;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.state.PartitionIntake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The schemas of what only the stores hold, one directory a release: every later build must read, and be read by, each of
 * them, as with the topics' ({@code ReleasedSchemasTest}). A release in the making may still be overwritten, by
 *
 * <pre>mvn -q test -pl scheduler-stream -am -Dtest=ReleasedStateTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dweir.record.schemas=0.1</pre>
 */
class ReleasedStateTest {
    private static final Path RELEASED = Path.of("src/test/resources/released");

    private final Map<String, Schema> present = Stream.concat(
                    Stream.of(EntityKind.values()).map(EntityKind::type),
                    Stream.of(JournalStatus.class, ConnectorIntake.class, ParkedFact.class, PartitionIntake.class))
            .map(type -> SpecificData.newInstance(type, SpecificData.get().getSchema(type)))
            .map(empty -> AvroSchemaUtils.getSchema(empty, false, false, true))
            .filter(schema -> schema.getNamespace().startsWith("io.weir.scheduler"))
            .collect(Collectors.toMap(Schema::getFullName, Function.identity()));

    @Test
    @EnabledIfSystemProperty(named = "weir.record.schemas", matches = "[0-9.]+")
    void shouldRecordTheSchemasOfARelease() throws IOException {
        Path directory = Files.createDirectories(RELEASED.resolve(System.getProperty("weir.record.schemas")));
        for (Schema schema : present.values()) {
            Files.writeString(
                    directory.resolve(schema.getName() + ".avsc"),
                    SchemaFormatter.format("json/pretty", schema) + "\n");
        }
    }

    @Test
    void shouldReadAndBeReadByEveryRelease() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(RELEASED)) {
            files = all.filter(path -> path.toString().endsWith(".avsc")).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            Schema old = new Schema.Parser().parse(Files.readString(file));
            Schema now = present.get(old.getFullName());
            assertThat(now).as("%s: record that is still stored", file).isNotNull();
            assertReads(file + ", read by this build", now, old);
            assertReads(file + ", reading this build's", old, now);
        }
    }

    private static void assertReads(String what, Schema reader, Schema writer) {
        assertThat(SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                        .getResult()
                        .getIncompatibilities())
                .as(what)
                .isEmpty();
    }
}
