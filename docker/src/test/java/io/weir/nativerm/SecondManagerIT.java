package io.weir.nativerm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.rm.runtime.RunnerListener;
import io.weir.schemas.Decision;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeMetric;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.TopicContents;
import io.weir.standalone.access.Account;
import io.weir.standalone.drill.TopicsAudit;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two native resource managers behind a connector: one has nodes and jobs, by a script; the other knows how warm the nodes
 * are. The scheduler prefers free processors, then cool ones.
 */
class SecondManagerIT {
    private static final String CLUSTER = "warm";
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path TOY = Path.of("../rm-connector/src/test/resources/toy-rm/toy.sh")
            .toAbsolutePath()
            .normalize();

    private static final String POLICY = """
            NODEALLOCATIONPOLICY PRIORITY
            NODECFG[DEFAULT] PRIORITYF='100*APROCS - GMETRIC[temp]'
            """;

    @TempDir
    Path directory;

    @Test
    void shouldStartJobsWhereSecondManagerSaysItIsCool() throws IOException {
        Files.createDirectories(directory.resolve("nodes"));
        Files.createDirectories(directory.resolve("jobs"));
        node("n1", 8);
        node("n2", 8);
        node("n3", 4);
        temperatures(80, 65, 50);
        List<String> problems;
        try (Standalone weir = Standalone.start(
                new StandaloneConfig(new DataDirectory(directory.resolve("data")), 0, 0, Map.of(), settings()),
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR),
                RunnerListener.NONE,
                connection -> new PolicyPublisher(connection, NAMES).publish(CLUSTER, POLICY, "test"))) {
            TopicContents topics = new TopicContents(weir.connection(Account.READER), NAMES);
            awaitTemperature(topics, "n2", 65);

            submit("1", Instant.now().getEpochSecond());
            assertRunsOn("1", "n2");

            job("1", "STATE=Completed\nCOMPLETIONTIME=" + Instant.now().getEpochSecond());
            temperatures(40, 90, 50);
            awaitTemperature(topics, "n1", 40);
            submit("2", Instant.now().getEpochSecond());
            assertRunsOn("2", "n1");

            assertThat(topics.read(Topics.DECISIONS).stream()
                            .filter(decision -> decision.getKind() == DecisionKind.START))
                    .extracting(Decision::getJobId, SecondManagerIT::nodeOf)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("1", "n2"),
                            org.assertj.core.groups.Tuple.tuple("2", "n1"));
            problems = TopicsAudit.problems(weir.connection(Account.READER), NAMES);
        }
        assertThat(problems).isEmpty();
    }

    private static String nodeOf(Decision decision) {
        return decision.getAllocation().stream()
                .map(NodeAllocation::getNodeId)
                .findFirst()
                .orElse("");
    }

    private Map<String, String> settings() throws IOException {
        Path toy = directory.resolve("toy.sh");
        Files.copy(TOY, toy, StandardCopyOption.COPY_ATTRIBUTES);
        Map<String, String> settings = new HashMap<>();
        settings.put("cluster", CLUSTER);
        settings.put("clusters", CLUSTER);
        settings.put("connector.poll.interval.ms", "250");
        settings.put("rm.type", "native");
        settings.put("rm.native.rmcfg", """
                RMCFG[base] TYPE=NATIVE ENV=TOY_DIR=%1$s
                RMCFG[base] CLUSTERQUERYURL=exec://%2$s/cluster WORKLOADQUERYURL=exec://%2$s/workload
                RMCFG[base] JOBSTARTURL=exec://%2$s/start JOBCANCELURL=exec://%2$s/cancel
                RMCFG[temp] TYPE=NATIVE CLUSTERQUERYURL=file://%1$s/temperatures
                """.formatted(directory, verbs(toy)));
        return settings;
    }

    /** RMCFG's addresses have no blanks: a program for each verb. */
    private Path verbs(Path toy) throws IOException {
        Path verbs = Files.createDirectories(directory.resolve("verbs"));
        for (String verb : List.of("cluster", "workload", "start", "cancel")) {
            Path program = Files.writeString(verbs.resolve(verb), "#!/bin/sh\nexec " + toy + " " + verb + " \"$@\"\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        return verbs;
    }

    private void node(String name, int procs) throws IOException {
        Files.writeString(directory.resolve("nodes/" + name), "STATE=Idle\nCPROC=" + procs + "\nCMEMORY=8192\n");
    }

    private void temperatures(int... degrees) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < degrees.length; i++) {
            text.append('n')
                    .append(i + 1)
                    .append(" GMETRIC[temp]=")
                    .append(degrees[i])
                    .append('\n');
        }
        replace("temperatures", text.toString());
    }

    private void submit(String id, long now) throws IOException {
        replace(
                "jobs/" + id,
                "STATE=Idle\nUPDATETIME=%1$d\nQUEUETIME=%1$d\nWCLIMIT=1000\nTASKS=1\nUNAME=ann\nGNAME=users\n"
                        .formatted(now));
    }

    /** Adds to what is known of a job; the last line wins. */
    private void job(String id, String lines) throws IOException {
        replace("jobs/" + id, Files.readString(directory.resolve("jobs/" + id)).replace("STATE=Running", lines));
    }

    /** At once, for somebody may be reading. */
    private void replace(String file, String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    private void assertRunsOn(String job, String node) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(directory.resolve("jobs/" + job)))
                        .contains("STATE=Running")
                        .contains("TASKLIST=" + node + "\n"));
    }

    /** The metric is published, and the report of the node that the first manager owns carries it. */
    private static void awaitTemperature(TopicContents topics, String node, double degrees) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
            assertThat(topics.read(Topics.MONITORING_METRICS))
                    .filteredOn(metric -> metric.getNodeId().equals(node))
                    .extracting(NodeMetric::getValue)
                    .endsWith(degrees);
            assertThat(topics.read(Topics.NODES))
                    .filteredOn(seen -> seen.getNodeId().equals(node))
                    .isNotEmpty()
                    .last()
                    .asString()
                    .contains("\"temp\"")
                    .contains(Double.toString(degrees));
        });
    }
}
