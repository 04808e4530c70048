package io.weir.scheduler.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.journal.ClosedIteration;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.JournalChain;
import io.weir.scheduler.journal.JournalEntry;
import io.weir.scheduler.journal.OutputRecord;
import io.weir.scheduler.recorded.RecordedJournal.WrittenRecord;
import io.weir.scheduler.recorded.RecordedJournal.WrittenSchema;
import io.weir.scheduler.recorded.lives.TwoManagers;
import io.weir.scheduler.stream.StreamHarness;
import io.weir.schemas.Iteration;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** A field that was added with a default since a journal was recorded is no reason to record it anew. */
class EarlierSchemasTest {
    private final RecordedJournal journal = Recorder.record(new TwoManagers());

    @Test
    void shouldJudgeAJournalByTheFieldsItsBuildKnew() throws IOException {
        RecordedJournal earlier = earlier();
        try (JournalSchemas theirs = new JournalSchemas(earlier.schemas())) {
            assertThat(Replay.audit(earlier, theirs).firstDivergence()).isEmpty();
        }
    }

    @Test
    void shouldStillSeeWhatThatBuildCouldSee() throws IOException {
        RecordedJournal earlier = earlier();
        List<WrittenRecord> records = earlier.records();
        int last = records.size() - 1;
        while (records.get(last).value() == null) {
            last--;
        }
        byte[] changed = Objects.requireNonNull(records.get(last).value()).clone();
        changed[changed.length - 1] ^= 1;
        records.set(last, records.get(last).with(changed));
        try (JournalSchemas theirs = new JournalSchemas(earlier.schemas())) {
            assertThat(Replay.audit(earlier, theirs).firstDivergence()).isPresent();
        }
    }

    /** Returns the journal as a build would have written it whose schemas end before their last optional field. */
    private RecordedJournal earlier() throws IOException {
        List<WrittenSchema> schemas = journal.schemas().stream()
                .map(schema -> new WrittenSchema(schema.topic(), schema.id(), withoutLastDefault(schema.json())))
                .toList();
        assertThat(schemas).isNotEqualTo(journal.schemas());
        List<WrittenRecord> records = new ArrayList<>();
        List<WrittenRecord> outputs = new ArrayList<>();
        try (JournalSchemas ours = new JournalSchemas(journal.schemas());
                JournalSchemas theirs = new JournalSchemas(schemas)) {
            ClusterScheduler core = new ClusterScheduler(StreamHarness.CLUSTER);
            JournalChain chain = new JournalChain(StreamHarness.CLUSTER, theirs);
            for (WrittenRecord record : journal.records()) {
                if (record.isInput()) {
                    Input input = rewritten(record.entry().input(), ours, theirs);
                    JournalEntry entry = chain.append(input);
                    records.add(new WrittenRecord(
                            record.topic(), input.key(), input.value(), input.timestamp(), entry.toHeaders()));
                    core.apply(Facts.of(input, theirs.codec().decode(Recorder.source(input), input.value())));
                } else if (record.isIteration()) {
                    Iteration iteration = ours.codec().decode(Topics.JOURNAL, Objects.requireNonNull(record.value()));
                    IterationResult result =
                            core.iterate(iteration.getNow(), iteration.getTrigger(), iteration.getAnswers());
                    ClosedIteration closed =
                            chain.close(result, iteration.getTrigger(), iteration.getAnswers(), iteration.getBuild());
                    records.add(record.with(framed(record.value(), theirs.encode(closed.iteration()))));
                    closed.outputs().forEach(output -> outputs.add(written(output, schemas)));
                }
            }
        }
        records.addAll(outputs);
        return new RecordedJournal(schemas, records, List.of());
    }

    private static Input rewritten(Input input, JournalSchemas ours, JournalSchemas theirs) {
        SpecificRecord value = ours.codec().decode(Recorder.source(input), Objects.requireNonNull(input.value()));
        return new Input(
                input.topic(),
                input.partition(),
                input.offset(),
                input.timestamp(),
                input.headers(),
                input.key(),
                framed(input.value(), theirs.encode(value)));
    }

    private static WrittenRecord written(OutputRecord output, List<WrittenSchema> schemas) {
        int id = schemas.stream()
                .filter(schema -> schema.topic().equals(output.topic().name()))
                .findFirst()
                .orElseThrow()
                .id();
        byte[] header = ByteBuffer.allocate(5).putInt(1, id).array();
        byte[] value = Optional.ofNullable(output.payload())
                .map(payload -> framed(header, payload))
                .orElse(null);
        return new WrittenRecord(output.topic().name(), output.keyBytes(), value, output.timestamp(), output.headers());
    }

    /** Returns {@code payload} behind the wire format's header of {@code like}. */
    private static byte[] framed(byte[] like, byte[] payload) {
        return ByteBuffer.allocate(5 + payload.length)
                .put(like, 0, 5)
                .put(payload)
                .array();
    }

    private static String withoutLastDefault(String json) {
        Schema schema = new Schema.Parser().parse(json);
        List<Schema.Field> fields = schema.getFields();
        int last = fields.size() - 1;
        if (!fields.get(last).hasDefaultValue()) {
            return json;
        }
        return Schema.createRecord(
                        schema.getName(),
                        schema.getDoc(),
                        schema.getNamespace(),
                        false,
                        fields.subList(0, last).stream()
                                .map(field -> new Schema.Field(field, field.schema()))
                                .toList())
                .toString();
    }
}
