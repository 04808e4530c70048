package io.weir.scheduler.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.recorded.RecordedJournal.StoredEntity;
import io.weir.scheduler.recorded.RecordedJournal.WrittenRecord;
import io.weir.schemas.Iteration;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Folds journals that an earlier build recorded, as an audit would, and compares every digest, every output and the state
 * at the end. What a difference means is in {@link #EXPLANATION} and in {@code docs/recorded-journals.md}. They are
 * recorded anew by
 *
 * <pre>mvn -pl scheduler-stream -am test -Dtest=RecordedJournalsTest -Dsurefire.failIfNoSpecifiedTests=false
 *     -Dweir.journals.record=true</pre>
 */
class RecordedJournalsTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/journals");
    private static final String RECORD = "weir.journals.record";
    private static final long MOST_BYTES = 2_200_000;

    private static final String EXPLANATION = """

            This build does not do what the recorded one did with the same input. That is a bug, unless the change was meant
            - to alter decisions: give it a new ClusterScheduler.DECISION_VERSION (before the first release: say why in the
              commit), or
            - to put out more or other records, or words, beside the same decisions.
            A field added to a schema, with a default, is no reason. If the change was meant, record the journals anew
            and look at the difference of every journal that you did not expect to change:
              mvn -pl scheduler-stream -am test -Dtest=RecordedJournalsTest -Dsurefire.failIfNoSpecifiedTests=false \
            -Dweir.journals.record=true
            """;

    static Stream<Named<Life>> lives() {
        return Lives.all().stream().map(life -> Named.of(life.name(), life));
    }

    @BeforeAll
    static void recordAnewIfAsked() throws IOException {
        if (!Boolean.getBoolean(RECORD)) {
            return;
        }
        Files.createDirectories(DIRECTORY);
        for (Path old : recorded()) {
            Files.delete(old);
        }
        for (Life life : Lives.all()) {
            Recorder.record(life).write(file(life));
        }
    }

    /** Every input from its bytes, every iteration, every output. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("lives")
    void shouldDecideAsRecorded(Life life) throws IOException {
        RecordedJournal journal = RecordedJournal.read(file(life));
        try (JournalSchemas schemas = new JournalSchemas(journal.schemas())) {
            AuditReport report = Replay.audit(journal, schemas);

            assertThat(report.firstDivergence())
                    .as("journal %s%n%s", life.name(), EXPLANATION)
                    .isEmpty();
            assertThat(report.isClean()).isTrue();
            assertThat(report.clusters()).singleElement().satisfies(cluster -> {
                assertThat(cluster.iterations())
                        .isEqualTo(journal.records().stream()
                                .filter(WrittenRecord::isIteration)
                                .count());
                assertThat(cluster.outputs())
                        .isEqualTo(journal.records().stream()
                                .filter(record -> !record.isOfJournal())
                                .count());
            });
        }
    }

    /** What no output shows is in the state: fairshare, node histories, the plan's bookkeeping. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("lives")
    void shouldEndInTheRecordedState(Life life) throws IOException {
        RecordedJournal journal = RecordedJournal.read(file(life));
        try (JournalSchemas schemas = new JournalSchemas(journal.schemas())) {
            List<Change> state = Replay.state(journal.records(), schemas.codec());

            String where = "state at the end of journal " + life.name();
            assertThat(state.stream().map(Recorder::id))
                    .as("%s%n%s", where, EXPLANATION)
                    .containsExactlyElementsOf(
                            journal.state().stream().map(StoredEntity::id).toList());
            for (int i = 0; i < state.size(); i++) {
                StoredEntity recorded = journal.state().get(i);
                byte[] payload = schemas.encode(Recorder.value(state.get(i)));
                if (!Arrays.equals(payload, recorded.payload())) {
                    assertThat(schemas.text(recorded.type(), payload))
                            .as("%s, %s%n%s", where, recorded.id(), EXPLANATION)
                            .isEqualTo(schemas.text(recorded.type(), recorded.payload()));
                }
            }
        }
    }

    /** The stream itself, given the same records: what it journals, and when it iterates. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("lives")
    void shouldJournalAsRecorded(Life life) throws IOException {
        RecordedJournal journal = RecordedJournal.read(file(life));
        RecordedJournal again = Recorder.record(life);
        try (JournalSchemas then = new JournalSchemas(journal.schemas());
                JournalSchemas now = new JournalSchemas(again.schemas())) {
            List<String> recorded = story(journal, then.codec());
            List<String> told = story(again, now.codec());
            for (int i = 0; i < Math.min(recorded.size(), told.size()); i++) {
                assertThat(told.get(i))
                        .as("journal %s, record %d, when lived again%n%s", life.name(), i + 1, EXPLANATION)
                        .isEqualTo(recorded.get(i));
            }
            assertThat(told).as("journal %s, when lived again", life.name()).hasSameSizeAs(recorded);
        }
    }

    @Test
    void shouldRecordTheSameBytesAgain() throws IOException {
        Life life = Lives.all().get(0);
        assertThat(Recorder.record(life).toBytes())
                .isEqualTo(Recorder.record(life).toBytes());
    }

    @Test
    void shouldStaySmallAndCurrent() throws IOException {
        long bytes = 0;
        for (Path file : recorded()) {
            bytes += Files.size(file);
            try (JournalSchemas schemas =
                    new JournalSchemas(RecordedJournal.read(file).schemas())) {
                WrittenRecord written = RecordedJournal.read(file).records().stream()
                        .filter(WrittenRecord::isIteration)
                        .findFirst()
                        .orElseThrow();
                Iteration first = schemas.codec().decode(Topics.JOURNAL, Objects.requireNonNull(written.value()));
                assertThat(first.getDecisionVersion())
                        .as("%s was decided by other rules: record the journals anew%n%s", file, EXPLANATION)
                        .isEqualTo(ClusterScheduler.DECISION_VERSION);
            }
        }
        assertThat(bytes).as("bytes of all journals").isLessThan(MOST_BYTES);
        assertThat(recorded())
                .containsExactlyInAnyOrderElementsOf(
                        Lives.all().stream().map(RecordedJournalsTest::file).toList());
    }

    /** Returns a journal in words, without its digests. */
    private static List<String> story(RecordedJournal journal, AvroCodec codec) {
        List<String> story = new ArrayList<>();
        for (WrittenRecord record : journal.records()) {
            if (record.isIteration()) {
                Iteration iteration = codec.decode(Topics.JOURNAL, Objects.requireNonNull(record.value()));
                story.add("iteration %d for %s on %s %s"
                        .formatted(
                                iteration.getNumber(),
                                iteration.getNow(),
                                iteration.getTrigger(),
                                iteration.getAnswers()));
            } else if (record.isInput()) {
                var input = record.entry().input();
                Topic<?> topic = Recorder.source(input);
                story.add("%s, %d: %s"
                        .formatted(
                                input, input.timestamp(), codec.decode(topic, Objects.requireNonNull(input.value()))));
            }
        }
        return story;
    }

    static Path file(Life life) {
        return DIRECTORY.resolve(life.name() + ".journal");
    }

    private static List<Path> recorded() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }
}
