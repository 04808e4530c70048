package io.weir.scheduler.recorded;

import io.confluent.kafka.schemaregistry.avro.AvroSchemaUtils;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.journal.OutputTopics;
import io.weir.scheduler.recorded.RecordedJournal.StoredEntity;
import io.weir.scheduler.recorded.RecordedJournal.WrittenRecord;
import io.weir.scheduler.recorded.RecordedJournal.WrittenSchema;
import io.weir.topics.AvroPayload;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Makes the recorded journal of a life. Stateless. */
final class Recorder {
    private Recorder() {}

    /** Lets a site live, and keeps what it wrote. */
    static RecordedJournal record(Life life) {
        try (Site site = new Site(life.hasWallClock())) {
            life.live(site);
            List<WrittenRecord> records = new ArrayList<>();
            List<Topic<?>> topics = new ArrayList<>(List.of(Topics.JOURNAL));
            topics.addAll(OutputTopics.all());
            for (Topic<?> topic : topics) {
                site.records(topic)
                        .forEach(it -> records.add(
                                new WrittenRecord(topic.name(), it.key(), it.value(), it.timestamp(), it.headers())));
            }
            List<Change> state = Replay.state(records, site.harness().codec);
            return new RecordedJournal(
                    schemas(records, state),
                    records,
                    state.stream()
                            .map(it -> new StoredEntity(
                                    id(it), value(it).getSchema().getFullName(), AvroPayload.encode(value(it))))
                            .toList());
        }
    }

    /** Returns the topic whose records an input's value is one of. */
    static Topic<? extends SpecificRecord> source(Input input) {
        return IntakeRecords.typeOf(input).orElseThrow();
    }

    static String id(Change change) {
        return change.kind() + " " + change.id();
    }

    static SpecificRecord value(Change change) {
        return Objects.requireNonNull(change.value());
    }

    /** Returns the schemas of all records and of the state, those of topics first. */
    private static List<WrittenSchema> schemas(List<WrittenRecord> records, List<Change> state) {
        Map<String, WrittenSchema> onTopics = new TreeMap<>();
        Map<String, WrittenSchema> inState = new TreeMap<>();
        for (WrittenRecord record : records) {
            byte[] value = record.value();
            if (value != null) {
                Topic<?> topic = record.isInput()
                        ? source(record.entry().input())
                        : Topics.byName(record.topic()).orElseThrow();
                int id = ByteBuffer.wrap(value).getInt(1);
                onTopics.computeIfAbsent(
                        topic.name(), name -> new WrittenSchema(name, id, json(topic.type(), topic.schema())));
            }
        }
        for (Change change : state) {
            SpecificRecord value = value(change);
            inState.computeIfAbsent(
                    value.getSchema().getFullName(),
                    name -> new WrittenSchema("", 0, json(value.getClass(), value.getSchema())));
        }
        List<WrittenSchema> all = new ArrayList<>(onTopics.values());
        inState.values().stream()
                .filter(schema -> onTopics.values().stream()
                        .noneMatch(known -> known.json().equals(schema.json())))
                .forEach(all::add);
        return all;
    }

    /** Returns a schema as its file has it, without what is Java's own. */
    private static String json(Class<?> type, Schema schema) {
        return AvroSchemaUtils.getSchema(SpecificData.newInstance(type, schema), false, false, true)
                .toString();
    }
}
