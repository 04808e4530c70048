package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.store.StoredPositions;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerTopologyTest {
    @TempDir
    Path stateDir;

    private final AvroCodec codec =
            new AvroCodec(StreamHarness.NAMES, Map.of("schema.registry.url", "mock://topology"));

    /** A changed name is a migration: see the class comment before changing the golden file. */
    @Test
    void shouldBeWiredAsPinned() throws IOException {
        try (InputStream golden = getClass().getResourceAsStream("/golden/topology.txt")) {
            assertThat(golden).as("golden/topology.txt").isNotNull();
            assertThat(topology(StreamHarness.settings(ClockMode.RM, false))
                            .describe()
                            .toString()
                            .strip())
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8).strip());
        }
    }

    @Test
    void shouldCarryAHeartbeatFromTopicToJournal() {
        try (TopologyTestDriver driver =
                new TopologyTestDriver(topology(StreamHarness.settings(ClockMode.RM, false)), properties())) {
            var heartbeats =
                    driver.createInputTopic("weir.rm.heartbeats", new ByteArraySerializer(), new ByteArraySerializer());
            Instant time = Instant.parse("2026-03-01T00:00:00Z");
            RecordHeaders hello = new RecordHeaders();
            FactHeaders.CONNECTOR.put(hello, "sim");
            heartbeats.pipeInput(record(HeartbeatKind.HELLO, 0, time, hello));
            RecordHeaders first = new RecordHeaders();
            FactHeaders.CONNECTOR.put(first, "sim");
            FactHeaders.EPOCH.put(first, 0);
            FactHeaders.SEQUENCE.put(first, 1);
            heartbeats.pipeInput(record(HeartbeatKind.HEARTBEAT, 1, time, first));

            List<TestRecord<byte[], byte[]>> journal = driver.createOutputTopic(
                            "weir.journal", new ByteArrayDeserializer(), new ByteArrayDeserializer())
                    .readRecordsToList();
            assertThat(journal)
                    .extracting(record -> FactHeaders.KIND.get(record.headers()).orElseThrow())
                    .containsExactly("input", "input", "iteration");
            List<TestRecord<String, byte[]>> changelog = driver.createOutputTopic(
                            StoredPositions.changelog("topology-test"),
                            new StringDeserializer(),
                            new ByteArrayDeserializer())
                    .readRecordsToList();
            assertThat(changelog)
                    .as("what is made only when Kafka Streams is about to commit")
                    .extracting(TestRecord::key)
                    .contains("/partition", "alpha/journal", "alpha/connector/sim");
        }
    }

    /** As when somebody has made a topic anew that keeps the state. */
    @Test
    void shouldWriteTheStateAnewToTheTopicsThatKeepItWhenThatIsAskedFor() {
        StreamSettings settings = StreamHarness.settings(ClockMode.RM, false);
        try (TopologyTestDriver driver = new TopologyTestDriver(topology(settings), properties())) {
            var heartbeats =
                    driver.createInputTopic("weir.rm.heartbeats", new ByteArraySerializer(), new ByteArraySerializer());
            RecordHeaders hello = new RecordHeaders();
            FactHeaders.CONNECTOR.put(hello, "sim");
            heartbeats.pipeInput(record(HeartbeatKind.HELLO, 0, Instant.parse("2026-03-01T00:00:00Z"), hello));
            List<String> held = keys(driver, "entities");
            assertThat(held).contains("alpha/DOMAIN/alpha");
            driver.advanceWallClockTime(Duration.ofSeconds(10));
            assertThat(keys(driver, "entities")).isEmpty();

            settings.rewriting().request(List.of(0));
            driver.advanceWallClockTime(Duration.ofSeconds(1));
            driver.advanceWallClockTime(Duration.ofSeconds(1));

            assertThat(keys(driver, "entities")).containsAll(held);
            assertThat(keys(driver, "intake")).contains("/partition", "alpha/journal", "alpha/connector/sim");
            assertThat(settings.rewriting()).hasToString("[]");
        }
    }

    private static List<String> keys(TopologyTestDriver driver, String store) {
        return driver
                .createOutputTopic(
                        "topology-test-" + store + "-changelog", new StringDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList()
                .stream()
                .map(TestRecord::key)
                .toList();
    }

    private TestRecord<byte[], byte[]> record(HeartbeatKind kind, long number, Instant time, RecordHeaders headers) {
        Heartbeat heartbeat = Heartbeat.newBuilder()
                .setCluster("alpha")
                .setConnector("sim")
                .setKind(kind)
                .setNumber(number)
                .setRmTime(time)
                .build();
        return new TestRecord<>(
                "alpha/sim".getBytes(StandardCharsets.UTF_8),
                codec.encode(Topics.RM_HEARTBEATS, heartbeat),
                headers,
                time);
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "topology-test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        return properties;
    }

    private Topology topology(StreamSettings settings) {
        return SchedulerTopology.build(
                settings,
                codec,
                new StreamMetrics(new SimpleMeterRegistry()),
                new Suspicions(),
                new Pace(new Backlog(), System::nanoTime, 33));
    }
}
