package io.weir.spine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.RunnerListener;
import io.weir.spine.Segment.Batch;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.KafkaAccess;
import io.weir.standalone.Standalone;
import io.weir.standalone.TraceRun;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody changes Kafka's files behind everybody's back: the audit finds it and says where. */
class TamperIT {
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);

    @TempDir
    static Path original;

    @TempDir
    Path copy;

    @BeforeAll
    static void run() throws Exception {
        TraceRun run = new TraceRun(Path.of("src/test/resources/traces/small.swf"), 8, 8, 0, 40, "");
        try (Standalone standalone = run.start(new DataDirectory(original), RunnerListener.NONE)) {
            standalone.awaitStopRequest();
            assertThat(standalone.isHealthy()).isTrue();
        }
    }

    @Test
    void shouldFindNothingWhenNobodyDid() throws Exception {
        copy();

        assertThat(audit()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"weir.journal", "weir.rm.jobs", "weir.results", "weir.commands", "weir.jobs", "weir.decisions"})
    void shouldFindARewrittenRecord(String topic) throws Exception {
        copy();
        Segment segment = segment(topic);
        Batch batch = middle(segment);
        segment.rewrite(batch, 0);

        assertThat(audit()).anySatisfy(problem -> assertThat(problem).contains(topic + "-0@" + batch.offset()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.journal", "weir.rm.jobs", "weir.commands"})
    void shouldFindADroppedBatch(String topic) throws Exception {
        copy();
        Segment segment = segment(topic);
        segment.drop(middle(segment));

        assertThat(audit()).anySatisfy(problem -> assertThat(problem).contains(topic + "-0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.rm.jobs", "weir.commands"})
    void shouldFindTwoSwappedRecords(String topic) throws Exception {
        copy();
        Segment segment = segment(topic);
        List<Batch> batches = segment.batches();
        for (int i = batches.size() / 2; ; i++) {
            Batch one = batches.get(i);
            Batch next = batches.get(i + 1);
            if (segment.length(one, 0) == segment.length(next, 0)) {
                segment.swap(one, 0, next, 0);
                break;
            }
        }

        assertThat(audit()).anySatisfy(problem -> assertThat(problem).contains(topic + "-0@"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir.journal", "weir.rm.jobs", "weir.commands"})
    void shouldFindADamagedBatch(String topic) throws Exception {
        copy();
        Segment segment = segment(topic);
        segment.damage(middle(segment));

        assertThat(audit()).anySatisfy(problem -> assertThat(problem).contains(topic + "-0"));
    }

    private List<String> audit() throws IOException {
        try (KafkaAccess access = KafkaAccess.open(new DataDirectory(copy), Account.READER)) {
            return TopicsAudit.problems(access.connection(), NAMES);
        }
    }

    private Segment segment(String topic) throws IOException {
        return Segment.open(copy.resolve("broker/kafka"), topic);
    }

    /** The first batch from the middle on that does not begin with a tombstone. */
    private static Batch middle(Segment segment) {
        List<Batch> batches = segment.batches();
        return batches.subList(batches.size() / 2, batches.size()).stream()
                .filter(segment::hasValue)
                .findFirst()
                .orElseThrow();
    }

    private void copy() throws IOException {
        try (Stream<Path> files = Files.walk(original.resolve("broker"))) {
            for (Path file : files.toList()) {
                Path target = copy.resolve(original.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
