package io.weir.scheduler.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.core.event.MetricConditions;
import io.weir.scheduler.core.policy.language.PolicySettings;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricProcessorTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final AvroCodec codec = new AvroCodec(
            new TopicNames(TopicNames.DEFAULT_PREFIX), Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    private final Map<String, MetricConditions> conditions = new HashMap<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KeyValueStore<String, byte[]> store = Stores.keyValueStoreBuilder(
                    Stores.inMemoryKeyValueStore(ReductionTopology.STORE), Serdes.String(), Serdes.ByteArray())
            .withCachingDisabled()
            .withLoggingDisabled()
            .build();
    private MockProcessorContext<byte[], byte[]> context;
    private MetricProcessor processor;
    private Instant now = NOON;

    @BeforeEach
    void start() {
        codec.prepare(List.of(Topics.MONITORING_METRICS, Topics.MONITORING_EVENTS, Topics.DEAD_LETTERS));
        configure("alpha", "GEVENTCFG[temp>50] ACTION=notify HYSTERESIS=5");
        restart();
    }

    private void restart() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        context = new MockProcessorContext<>(
                properties, new TaskId(0, 0), Path.of("target", "reduction").toFile());
        context.setCurrentSystemTimeMs(now.toEpochMilli());
        context.setRecordMetadata("weir.monitoring.metrics", 0, 17);
        if (!store.isOpen()) {
            store.init(context.getStateStoreContext(), store);
        } else {
            context.addStateStore(store);
        }
        processor = new MetricProcessor(
                codec,
                cluster -> conditions.getOrDefault(cluster, MetricConditions.NONE),
                Set.of("alpha", "beta"),
                new ReductionMetrics(meters));
        processor.init(context);
    }

    private void configure(String cluster, String text) {
        conditions.put(cluster, MetricConditions.of(PolicySettings.read(text)));
    }

    @Test
    void shouldRaiseAnEventWhenAConditionBeginsToHoldAndEndItLater() {
        measure("n1", "temp", 49);
        measure("n1", "temp", 52);
        measure("n1", "temp", 48);
        measure("n1", "temp", 45);

        assertThat(events())
                .extracting(
                        GenericEvent::getName,
                        GenericEvent::getObjectType,
                        GenericEvent::getObjectId,
                        GenericEvent::getActive,
                        GenericEvent::getTime)
                .containsExactly(
                        tuple("temp>50", "node", "n1", true, NOON.plusSeconds(2)),
                        tuple("temp>50", "node", "n1", false, NOON.plusSeconds(4)));
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldSayWhatWasMeasured() {
        configure("alpha", "GEVENTCFG[temp>50] ACTION=notify SMOOTHING=10");
        measure("n1", "temp", 60);

        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.getMessage()).isEqualTo("temp is 60.0000, 60.0000 on average over 10 s");
            assertThat(event.getSource()).isEqualTo("reduction");
        });
    }

    @Test
    void shouldFollowEachNodeByItself() {
        measure("n1", "temp", 60);
        measure("n2", "temp", 40);
        measure("n2", "temp", 60);

        assertThat(events()).extracting(GenericEvent::getObjectId).containsExactly("n1", "n2");
    }

    @Test
    void shouldKeepWhatNobodyAsksForOutOfItsState() {
        measure("n1", "power", 900);

        assertThat(events()).isEmpty();
        assertThat(store.approximateNumEntries()).isZero();
        assertThat(count("weir.reduction.metrics")).isEqualTo(1);
    }

    @Test
    void shouldNotRaiseTwiceAfterARestart() {
        measure("n1", "temp", 60);
        restart();
        measure("n1", "temp", 61);
        measure("n1", "temp", 40);

        assertThat(events()).extracting(GenericEvent::getActive).containsExactly(false);
    }

    @Test
    void shouldEndWhatTheConfigurationNoLongerStates() {
        measure("n1", "temp", 60);
        context.resetForwards();
        configure("alpha", "GEVENTCFG[temp>70] ACTION=notify");
        upkeep();

        assertThat(events())
                .extracting(GenericEvent::getName, GenericEvent::getActive)
                .containsExactly(tuple("temp>50", false));
        assertThat(store.approximateNumEntries()).isZero();
    }

    @Test
    void shouldForgetANodeThatIsSilentForADay() {
        measure("n1", "temp", 60);
        context.resetForwards();
        now = now.plusSeconds(86_402);
        upkeep();

        assertThat(events()).extracting(GenericEvent::getActive).containsExactly(false);
        assertThat(store.approximateNumEntries()).isZero();
    }

    @Test
    void shouldNotLetATimeAheadKeepLaterValuesOut() {
        processor.process(metric("alpha", "n1", "temp", 10, Instant.parse("2098-01-01T00:00:00Z")));
        measure("n1", "temp", 60);

        assertThat(events()).hasSize(1);
    }

    @Test
    void shouldPassOverMetricsOfStrangers() {
        configure("gamma", "GEVENTCFG[temp>50] ACTION=notify");
        processor.process(metric("gamma", "n1", "temp", 60, now));

        assertThat(events()).isEmpty();
        assertThat(meters.get("weir.reduction.dropped")
                        .tag("why", "stranger")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldWriteADeadLetterForBytesThatAreNoMetric() {
        processor.process(new Record<>(key("alpha/n1"), new byte[] {1, 2, 3}, now.toEpochMilli()));

        assertThat(letters()).singleElement().satisfies(letter -> {
            assertThat(letter.getCause()).isEqualTo("UNDECODABLE");
            assertThat(letter.getTopic()).isEqualTo("monitoring.metrics");
            assertThat(letter.getOffset()).isEqualTo(17);
        });
    }

    @Test
    void shouldWriteADeadLetterForAValueOutOfBounds() {
        processor.process(metric("alpha", "n1", "temp", Double.NaN, now));

        assertThat(letters()).singleElement().extracting(DeadLetter::getCause).isEqualTo("OUT_OF_BOUNDS");
    }

    @Test
    void shouldNotFloodTheDeadLetters() {
        for (int i = 0; i < UnusableMetrics.MOST + 50; i++) {
            processor.process(new Record<>(key("alpha/n1"), new byte[] {1}, now.toEpochMilli()));
        }
        assertThat(letters()).hasSize(UnusableMetrics.MOST);

        upkeep();
        processor.process(new Record<>(key("alpha/n1"), new byte[] {1}, now.toEpochMilli()));

        assertThat(letters()).hasSize(UnusableMetrics.MOST + 1);
        assertThat(meters.get("weir.reduction.dropped")
                        .tag("why", "unusable")
                        .counter()
                        .count())
                .isEqualTo(UnusableMetrics.MOST + 51);
    }

    /** Measures one value a second. */
    private void measure(String node, String name, double value) {
        now = now.plusSeconds(1);
        context.setCurrentSystemTimeMs(now.toEpochMilli());
        processor.process(metric("alpha", node, name, value, now));
    }

    private Record<byte[], byte[]> metric(String cluster, String node, String name, double value, Instant time) {
        return new Record<>(
                key(cluster + "/" + node),
                codec.encode(Topics.MONITORING_METRICS, new NodeMetric(cluster, node, name, value, time)),
                now.toEpochMilli());
    }

    private void upkeep() {
        context.setCurrentSystemTimeMs(now.toEpochMilli());
        context.scheduledPunctuators().forEach(each -> each.getPunctuator().punctuate(now.toEpochMilli()));
    }

    private List<GenericEvent> events() {
        return forwarded(ReductionTopology.EVENTS).stream()
                .map(value -> codec.decode(Topics.MONITORING_EVENTS, value))
                .toList();
    }

    private List<DeadLetter> letters() {
        return forwarded(ReductionTopology.LETTERS).stream()
                .map(value -> codec.decode(Topics.DEAD_LETTERS, value))
                .toList();
    }

    private List<byte[]> forwarded(String child) {
        return context.forwarded().stream()
                .filter(each -> each.childName().equals(Optional.of(child)))
                .map(each -> (byte[]) each.record().value())
                .toList();
    }

    private double count(String name) {
        return meters.get(name).counter().count();
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
