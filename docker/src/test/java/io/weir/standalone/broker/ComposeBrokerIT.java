package io.weir.standalone.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.command.Main;
import io.weir.standalone.PropertiesFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** The compose file's broker, with its settings and passwords but without its container, prepared as the file has it. */
class ComposeBrokerIT {
    private static final Path FILE = Path.of("compose/compose.yaml");

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final int[] ports = FreePorts.any(3);

    @Test
    void shouldLetEachAccountDoItsPart() throws Exception {
        Path secrets = directory.resolve("secrets");
        assertThat(new ProcessBuilder("sh", "compose/secrets.sh", secrets.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        KafkaRaftServer broker = new KafkaRaftServer(new KafkaConfig(settings(secrets), false), Time.SYSTEM);
        broker.startup();
        try {
            run(secrets, "topics", "--create", "--set=topics.retention=*=forever");
            run(secrets, "acls", "--apply", "--connector=demo/rm", "--registry-topic=_schemas");

            Map<String, String> reader = PropertiesFile.read(secrets.resolve("setup/weir-reader.properties"));
            try (Admin admin = Admin.create(client(reader, "sasl.jaas.config", 2))) {
                assertThat(admin.listTopics().names().get())
                        .contains("weir.jobs")
                        .doesNotContain("_schemas");
            }
            Map<String, String> scheduler = PropertiesFile.read(secrets.resolve("scheduler/weir.properties"));
            write(client(scheduler, "api", 0), "weir.requests");
            write(client(scheduler, "kafka", 0), "weir.commands");
            assertThatThrownBy(() -> write(client(scheduler, "kafka", 0), "weir.requests"))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            Map<String, String> connector = PropertiesFile.read(secrets.resolve("connector/weir.properties"));
            write(client(connector, "kafka", 0), "weir.rm.jobs");
        } finally {
            broker.shutdown();
            broker.awaitShutdown();
        }
    }

    /** The image makes settings of variables by the same rule. */
    private Map<String, String> settings(Path secrets) throws IOException {
        Map<?, ?> file = new Yaml().load(Files.readString(FILE));
        Map<String, String> settings = new TreeMap<>();
        part(part(part(file, "services"), "kafka"), "environment")
                .forEach((name, value) -> settings.put(
                        String.valueOf(name)
                                .substring("KAFKA_".length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '.'),
                        String.valueOf(value)));
        assertThat(settings.remove("opts")).endsWith("=/secrets/jaas.conf");
        String login = Files.readAllLines(secrets.resolve("kafka/jaas.conf")).stream()
                .filter(line -> line.startsWith(" "))
                .collect(Collectors.joining(" "));
        for (String listener : new String[] {"internal", "controller", "external"}) {
            settings.put("listener.name." + listener + ".plain.sasl.jaas.config", login);
        }
        for (String key : new String[] {"listeners", "advertised.listeners", "controller.quorum.voters"}) {
            settings.put(
                    key,
                    settings.getOrDefault(key, "")
                            .replaceAll("://[a-z]*:", "://127.0.0.1:")
                            .replace("@kafka:", "@127.0.0.1:")
                            .replace(":9092", ":" + ports[0])
                            .replace(":9093", ":" + ports[1])
                            .replace(":9094", ":" + ports[2]));
        }
        BrokerFormat format = new BrokerFormat(Files.createDirectory(directory.resolve("broker")));
        format.ensure(1, "CONTROLLER");
        settings.put("log.dirs", format.log().toString());
        return settings;
    }

    private static Map<?, ?> part(Map<?, ?> whole, String name) {
        if (whole.get(name) instanceof Map<?, ?> part) {
            return part;
        }
        throw new AssertionError("there is no " + name);
    }

    private Map<String, Object> client(Map<String, String> file, String key, int port) {
        Map<String, Object> client = new HashMap<>();
        client.put("bootstrap.servers", "127.0.0.1:" + ports[port]);
        client.put("security.protocol", "SASL_PLAINTEXT");
        client.put("sasl.mechanism", "PLAIN");
        client.put("sasl.jaas.config", file.getOrDefault(key, ""));
        return client;
    }

    private void run(Path secrets, String... words) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(out, true));
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--bootstrap-server=127.0.0.1:" + ports[0];
        all[words.length + 1] = "--command-config=" + secrets.resolve("setup/admin.properties");
        assertThat(command.execute(all)).as(out.toString()).isZero();
    }

    private static void write(Map<String, Object> client, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, new byte[] {1})).get();
        }
    }
}
