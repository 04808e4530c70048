package io.weir.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.command.terminal.ExitCode;
import io.weir.rm.runtime.RunnerListener;
import io.weir.standalone.Component;
import io.weir.standalone.DataDirectory;
import io.weir.standalone.DemoCluster;
import io.weir.standalone.PolicyPublisher;
import io.weir.standalone.Standalone;
import io.weir.standalone.StandaloneConfig;
import io.weir.standalone.access.Account;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A site's own program chooses nodes in a cluster at work; when it is gone, its choices still replay. */
class AllocationProgramIT {
    private static final DemoCluster CLUSTER = new DemoCluster("lab", 2, 2, 600, 10.0, 10, 3);

    /** Notes what it is asked, and fills the candidates from the lowest name on. */
    private static final String CHOOSE = """
            #!/bin/sh
            here=$(dirname "$0")
            cat > "$here/question.$$"
            tr ',' '\\n' < "$here/question.$$" | grep '"jobId"' >> "$here/asked"
            grep -o '"id":"[^"]*"' "$here/question.$$" | cut -d'"' -f4 | sort \\
              | awk 'BEGIN { printf "{\\"nodes\\":[" } { printf "%s\\"%s\\"", (NR > 1 ? "," : ""), $1 } END { print "]}" }'
            rm "$here/question.$$"
            """;

    @TempDir
    Path root;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldAskAProgramAndReplayWithoutIt() throws IOException {
        Path program = root.resolve("choose");
        Files.writeString(program, CHOOSE);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        String policy = "NODEALLOCATIONPOLICY PLUGIN:own\nNODEALLOCPLUGIN[own] EXEC=exec://choose TIMEOUT=60\n";
        DataDirectory directory = new DataDirectory(root.resolve("data"));
        CLUSTER.writeScript(directory);
        Map<String, String> settings = CLUSTER.settings(directory);
        settings.put("plugin.programs", "choose=" + program);
        StandaloneConfig config = new StandaloneConfig(directory, 0, 0, Map.of(), settings);
        try (Standalone standalone = Standalone.start(
                config,
                EnumSet.of(Component.BROKER, Component.SCHEDULER, Component.CONNECTOR),
                RunnerListener.NONE,
                connection -> new PolicyPublisher(connection, new TopicNames(TopicNames.DEFAULT_PREFIX))
                        .publish(CLUSTER.name(), policy, "a test"))) {
            Path asked = root.resolve("asked");
            Awaitility.await("jobs to be asked about")
                    .atMost(Duration.ofMinutes(2))
                    .until(() ->
                            Files.exists(asked) && Files.readAllLines(asked).size() > 3);

            Files.delete(program);

            assertThat(run("replay", "--verify", "--data", directory.root().toString()))
                    .as(out.toString())
                    .isEqualTo(ExitCode.FINE);

            sendUnreadable(standalone);
            Awaitility.await("the unreadable question among the dead letters")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> dead(directory).contains("plugin-questions"));
        }
    }

    private static void sendUnreadable(Standalone standalone) {
        Map<String, Object> settings =
                new HashMap<>(standalone.connection(Account.ADMIN).kafka());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            String topic = new TopicNames(TopicNames.DEFAULT_PREFIX).full(Topics.PLUGIN_QUESTIONS);
            producer.send(new ProducerRecord<>(topic, 0, new byte[0], "no question".getBytes(UTF_8)));
        }
    }

    private String dead(DataDirectory directory) {
        out.getBuffer().setLength(0);
        run("dead-letters", "list", "--data", directory.root().toString());
        return out.toString();
    }

    private int run(String... words) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(out, true));
        return command.execute(words);
    }
}
