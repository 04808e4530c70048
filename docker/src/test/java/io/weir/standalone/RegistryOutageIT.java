package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.net.ServerSocket;
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

/** The schema registry is cut off after a good start, before there is a job, a command, a result or a notification. */
class RegistryOutageIT {
    private static final String CLUSTER = "quiet";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path TOY = Path.of("../rm-connector/src/test/resources/toy-rm/toy.sh")
            .toAbsolutePath()
            .normalize();

    @TempDir
    Path directory;

    @Test
    void shouldScheduleAndNotifyWithoutTheRegistryAfterAGoodStart() throws IOException {
        Files.createDirectories(directory.resolve("nodes"));
        Files.createDirectories(directory.resolve("jobs"));
        node("n1", "Idle");
        node("n2", "Idle");
        int port = freePort();
        try (CutLine line = new CutLine(port);
                Standalone weir = Standalone.start(
                        new StandaloneConfig(
                                new DataDirectory(directory.resolve("data")),
                                0,
                                port,
                                Map.of(),
                                settings("http://127.0.0.1:" + line.port())),
                        EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR, Component.NOTIFIER))) {
            TopicContents topics =
                    new TopicContents(weir.connection(Account.READER), new TopicNames(TopicNames.DEFAULT_PREFIX));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.read(Topics.NODES)).hasSizeGreaterThanOrEqualTo(2));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.read(Topics.JOURNAL)).isNotEmpty());

            line.cut();
            long now = Instant.now().getEpochSecond();
            replace(
                    "jobs/1",
                    "STATE=Idle\nUPDATETIME=%1$d\nQUEUETIME=%1$d\nWCLIMIT=1000\nTASKS=1\nUNAME=ann\nGNAME=users\n"
                            .formatted(now));
            node("n2", "Down");

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Files.readString(directory.resolve("jobs/1")))
                            .contains("STATE=Running"));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(directory.resolve("notices"))
                            .exists()
                            .content()
                            .contains("nodedown"));
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(topics.read(Topics.DELIVERY_RESULTS)).isNotEmpty());
        }
    }

    private Map<String, String> settings(String registry) throws IOException {
        Path toy = directory.resolve("toy.sh");
        Files.copy(TOY, toy, StandardCopyOption.COPY_ATTRIBUTES);
        Path verbs = Files.createDirectories(directory.resolve("verbs"));
        for (String verb : List.of("cluster", "workload", "start", "cancel")) {
            Path program = Files.writeString(verbs.resolve(verb), "#!/bin/sh\nexec " + toy + " " + verb + " \"$@\"\n");
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        Map<String, String> settings = new HashMap<>();
        settings.put("registry.url", registry);
        settings.put("cluster", CLUSTER);
        settings.put("clusters", CLUSTER);
        settings.put("connector.poll.interval.ms", "250");
        settings.put("rm.type", "native");
        settings.put("rm.native.rmcfg", """
                RMCFG[base] TYPE=NATIVE ENV=TOY_DIR=%1$s
                RMCFG[base] CLUSTERQUERYURL=exec://%2$s/cluster WORKLOADQUERYURL=exec://%2$s/workload
                RMCFG[base] JOBSTARTURL=exec://%2$s/start JOBCANCELURL=exec://%2$s/cancel
                """.formatted(directory, verbs));
        settings.put("notifier.channels", "ops");
        settings.put("channel.ops.type", "file");
        settings.put("channel.ops.path", directory.resolve("notices").toString());
        return settings;
    }

    private void node(String name, String state) throws IOException {
        replace("nodes/" + name, "STATE=" + state + "\nCPROC=4\nCMEMORY=8192\n");
    }

    /** At once, for somebody may be reading. */
    private void replace(String file, String text) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), text);
        Files.move(next, directory.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
