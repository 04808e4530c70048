package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MockAdminClient;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class StateOriginTest {
    private static final List<String> CHANGELOGS =
            List.of("weir-scheduler-entities-changelog", "weir-scheduler-intake-changelog");

    @TempDir
    private Path directory;

    private Path state;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void store() throws IOException {
        state = Files.createDirectories(directory.resolve("weir-scheduler/0_0/rocksdb"))
                .getParent()
                .getParent();
    }

    private StateOrigin origin() {
        return new StateOrigin(state, () -> now);
    }

    private static Admin cluster(String id) {
        return MockAdminClient.create().numBrokers(1).clusterId(id).build();
    }

    /** Runs the service on the brokers of {@code admin} until a stop in good order. */
    private void serve(Admin admin) throws ExecutionException, InterruptedException {
        StateOrigin origin = origin();
        origin.setAsideOfOthers(admin);
        origin.confirm();
    }

    private static Admin keepingTombstones(Duration time) throws ExecutionException, InterruptedException {
        Admin admin = cluster("one");
        for (String changelog : CHANGELOGS) {
            admin.createTopics(List.of(new NewTopic(changelog, 1, (short) 1)
                            .configs(Map.of(TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(time.toMillis())))))
                    .all()
                    .get();
        }
        return admin;
    }

    @Test
    void shouldSetTheStateOfAnotherKafkaClusterAside() throws Exception {
        serve(cluster("one"));

        origin().setAsideOfOthers(cluster("two"));

        assertThat(state).doesNotExist();
        assertThat(directory.resolve("weir-scheduler.former-1/0_0")).exists();
    }

    @Test
    void shouldGoOnFromTheStateOfTheSameKafkaCluster() throws Exception {
        serve(cluster("one"));

        origin().setAsideOfOthers(cluster("one"));

        assertThat(state.resolve("0_0")).exists();
    }

    @Test
    void shouldTakeAStateWithoutAMarkForThatOfTheseBrokers() throws Exception {
        StateOrigin origin = origin();
        origin.setAsideOfOthers(cluster("two"));
        origin.setAsideOutdated(keepingTombstones(Duration.ofHours(24)), CHANGELOGS);
        assertThat(state.resolve("0_0")).exists();

        Files.writeString(state.resolve("kafka-cluster-id"), "");
        origin().setAsideOfOthers(cluster("two"));
        assertThat(state.resolve("0_0")).exists();
    }

    @Test
    void shouldSetAStateAsideThatIsOlderThanHalfOfTheTimeForWhichTombstonesAreKept() throws Exception {
        Admin admin = keepingTombstones(Duration.ofHours(24));
        Files.writeString(state.resolve("0_0/rocksdb/CURRENT"), "MANIFEST-000001");
        serve(admin);

        now = now.plus(Duration.ofHours(12));
        origin().setAsideOutdated(admin, CHANGELOGS);
        assertThat(state.resolve("0_0")).exists();

        now = now.plusSeconds(1);
        origin().setAsideOutdated(admin, CHANGELOGS);
        assertThat(state).doesNotExist();
        assertThat(directory.resolve("weir-scheduler.outdated/0_0/rocksdb/CURRENT"))
                .hasContent("MANIFEST-000001");
    }

    @Test
    void shouldKeepOneOutdatedState() throws Exception {
        Admin admin = keepingTombstones(Duration.ofHours(24));
        for (String content : List.of("first", "second")) {
            Files.createDirectories(state.resolve("0_0/rocksdb"));
            Files.writeString(state.resolve("0_0/rocksdb/CURRENT"), content);
            serve(admin);
            now = now.plus(Duration.ofDays(1));
            origin().setAsideOutdated(admin, CHANGELOGS);
        }

        assertThat(directory).isDirectoryContaining("glob:**/weir-scheduler.outdated");
        assertThat(directory.toFile().list()).hasSize(1);
        assertThat(directory.resolve("weir-scheduler.outdated/0_0/rocksdb/CURRENT"))
                .hasContent("second");
    }

    @Test
    void shouldKeepAStateWhoseTopicsAreGone() throws Exception {
        serve(cluster("one"));
        now = now.plus(Duration.ofDays(400));

        origin().setAsideOutdated(cluster("one"), CHANGELOGS);

        assertThat(state.resolve("0_0")).exists();
    }

    @Test
    void shouldTakeTheStateForUpToDateWhenTheStreamRunsForTheSecondTimeInARow() throws Exception {
        Admin admin = keepingTombstones(Duration.ofHours(24));
        serve(admin);
        boolean[] runs = {true};
        var keeping = origin().keeping(() -> runs[0]);
        now = now.plus(Duration.ofHours(20));

        keeping.ask(admin);
        runs[0] = false;
        keeping.ask(admin);
        runs[0] = true;
        keeping.ask(admin);
        assertThat(Files.getLastModifiedTime(state.resolve("kafka-cluster-id")).toInstant())
                .isBefore(now);

        keeping.ask(admin);
        assertThat(Files.getLastModifiedTime(state.resolve("kafka-cluster-id")).toInstant())
                .isEqualTo(now);
        assertThat(state.resolve("kafka-cluster-id")).hasContent("one");
    }
}
