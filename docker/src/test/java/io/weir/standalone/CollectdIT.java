package io.weir.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.monitoring.source.MonitoringService;
import io.weir.schemas.NodeMetric;
import io.weir.standalone.access.Credentials;
import io.weir.standalone.broker.EmbeddedBroker;
import io.weir.standalone.broker.FreePorts;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's own collectd writes its measurements to Kafka, and the source makes facts of them. */
class CollectdIT {
    private static final Path COLLECTD = Path.of("/usr/sbin/collectd");
    private static final Path PLUGIN = Path.of("/usr/lib/collectd/write_kafka.so");
    private static final List<Path> LIBRARY =
            List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/lib/aarch64-linux-gnu"), Path.of("/usr/lib"));
    private static final TopicNames NAMES = new TopicNames(TopicNames.DEFAULT_PREFIX);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    static {
        AvroTrust.install();
    }

    @TempDir
    private Path directory;

    @Test
    void shouldTakeWhatCollectdWritesToKafka() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(COLLECTD)
                        && Files.exists(PLUGIN)
                        && LIBRARY.stream().anyMatch(each -> Files.exists(each.resolve("librdkafka.so.1"))),
                "collectd with write_kafka and librdkafka is not installed; run .ci/install-receivers to test with it");
        int[] ports = FreePorts.any(2);
        Map<String, Object> client = Map.of("bootstrap.servers", "127.0.0.1:" + ports[0]);
        String registry = "mock://" + UUID.randomUUID();
        try (EmbeddedBroker broker = EmbeddedBroker.start(
                        directory.resolve("broker"),
                        new Credentials(directory.resolve("credentials")),
                        ports[0],
                        withoutLogin(ports));
                AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", registry))) {
            try (Admin admin = Admin.create(client)) {
                admin.createTopics(List.of(new NewTopic("sensors", 1, (short) 1)))
                        .all()
                        .get();
            }
            try (HostedService source = HostedService.start(
                    new MonitoringService(),
                    Map.of(
                            "kafka.bootstrap.servers", broker.bootstrapServers(),
                            "registry.url", registry,
                            "cluster", "lab",
                            "source.topics", "sensors:collectd",
                            "source.metrics", "load_*,memory_free",
                            "health.port", "0",
                            "kafka.consumer.auto.offset.reset", "earliest"),
                    () -> {})) {
                Process collectd = collectd(broker.bootstrapServers());
                try {
                    Awaitility.await("facts of what collectd measures")
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(facts(client, codec))
                                    .extracting(NodeMetric::getCluster, NodeMetric::getNodeId, NodeMetric::getMetric)
                                    .contains(
                                            Assertions.tuple("lab", "n7", "load_shortterm"),
                                            Assertions.tuple("lab", "n7", "load_longterm"),
                                            Assertions.tuple("lab", "n7", "memory_free")));
                } finally {
                    collectd.destroyForcibly().waitFor();
                }
                assertThat(facts(client, codec))
                        .allSatisfy(fact -> assertThat(fact.getValue()).isNotNegative());
            }
        }
    }

    private Process collectd(String broker) throws IOException {
        Path config = Files.writeString(directory.resolve("collectd.conf"), """
                Hostname "n7.example.org"
                FQDNLookup false
                Interval 1
                BaseDir "%2$s"
                PIDFile "%2$s/pid"
                LoadPlugin load
                LoadPlugin memory
                LoadPlugin write_kafka
                <Plugin write_kafka>
                  Property "metadata.broker.list" "%1$s"
                  <Topic "sensors">
                    Format JSON
                  </Topic>
                </Plugin>
                """.formatted(broker, directory));
        return new ProcessBuilder(COLLECTD.toString(), "-f", "-C", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("collectd.log").toFile())
                .start();
    }

    private static List<NodeMetric> facts(Map<String, Object> client, AvroCodec codec) {
        List<NodeMetric> facts = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(NAMES.full(Topics.MONITORING_METRICS)).stream()
                    .map(each -> new TopicPartition(each.topic(), each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> facts.add(codec.decode(Topics.MONITORING_METRICS, record.value())));
            }
        }
        return facts;
    }

    /** librdkafka before 2.6.1 cannot log in to this broker. */
    private static Map<String, String> withoutLogin(int[] ports) {
        return Map.of(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + ports[0] + ",CONTROLLER://127.0.0.1:" + ports[1],
                "advertised.listeners",
                "PLAINTEXT://127.0.0.1:" + ports[0],
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "inter.broker.listener.name",
                "PLAINTEXT",
                "controller.quorum.voters",
                "1@127.0.0.1:" + ports[1],
                "authorizer.class.name",
                "");
    }
}
