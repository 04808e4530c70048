package io.weir.scheduler.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.core.event.ForwardedMetrics;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.stream.StreamRestartException;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Measurement;
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
import java.util.Objects;
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
    private final Map<String, ReductionRules> rules = new HashMap<>();
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
                cluster -> rules.getOrDefault(cluster, ReductionRules.NONE),
                (cluster, nodeId) -> nodeId.startsWith("stranger"),
                Set.of("alpha", "beta"),
                new ReductionMetrics(meters));
        processor.init(context);
    }

    private void configure(String cluster, String text) {
        rules.put(cluster, ReductionRules.of(SitePolicy.read(text).policy()));
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

    /** As when somebody writes to the topic that keeps the state. */
    @Test
    void shouldBeginAnewWithWhatIsNoStateOfItsOwn() {
        measure("n1", "temp", 52);
        store.put("alpha/n2", "junk".getBytes(StandardCharsets.UTF_8));
        store.put("no such key", new byte[0]);
        restart();

        measure("n1", "temp", 45);
        measure("n2", "temp", 52);

        assertThat(events())
                .extracting(GenericEvent::getObjectId, GenericEvent::getActive)
                .containsExactly(tuple("n1", false), tuple("n2", true));
        assertThat(store.get("no such key")).isNull();
    }

    @Test
    void shouldBeginAnewWhenTheClockIsSetBackAndTakeWhatIsMeasuredFromThenOn() {
        measure("n1", "temp", 40);

        now = now.minusSeconds(3_600);
        assertThatExceptionOfType(StreamRestartException.class).isThrownBy(() -> measure("n1", "temp", 60));
        restart();
        measure("n1", "temp", 60);

        assertThat(events()).extracting(GenericEvent::getActive).containsExactly(true);
    }

    @Test
    void shouldGoOnWhenTheClockIsPutRightByALittle() {
        measure("n1", "temp", 60);

        now = now.minusSeconds(3);
        measure("n1", "temp", 40);
        measure("n1", "temp", 40);
        measure("n1", "temp", 40);

        assertThat(events()).extracting(GenericEvent::getActive).containsExactly(true, false);
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
    void shouldCountWhatIsMeasuredOnNodesThatAreNotKnown() {
        measure("stranger1", "temp", 60);
        measure("stranger2", "power", 900);
        measure("n1", "temp", 60);

        assertThat(count("weir.reduction.unmatched")).isEqualTo(2);
        assertThat(count("weir.reduction.metrics")).isEqualTo(3);
        assertThat(events())
                .as("a node may be on its way")
                .extracting(GenericEvent::getObjectId)
                .containsExactly("stranger1", "n1");
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
    void shouldTellAValueOnceAndThenWhenItHasMovedFarEnough() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=5");
        measure("n1", "temp", 60);
        measureUntil(100, "n1", "temp", 64.9);
        assertThat(told()).containsExactly(List.of(measurement("temp", 60)));

        measure("n1", "temp", 65);
        assertThat(told()).containsExactly(List.of(measurement("temp", 60)), List.of(measurement("temp", 65)));
    }

    @Test
    void shouldTellOfANodeAtMostOnceInAnIntervalHoweverItsValuesMove() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=1 INTERVAL=20");
        for (int i = 0; i < 100; i++) {
            measure("n1", "temp", 20 + i % 50);
        }

        assertThat(told()).hasSize(5);
    }

    @Test
    void shouldTellAValueThatStoppedMovingBetweenTwoReports() {
        configure("alpha", "GMETRICCFG[temp] INTERVAL=20");
        measure("n1", "temp", 60);
        measure("n1", "temp", 70);
        now = now.plusSeconds(30);
        upkeep();

        assertThat(told()).containsExactly(List.of(measurement("temp", 60)), List.of(measurement("temp", 70)));
    }

    @Test
    void shouldTellTheAverageOfASmoothedMetric() {
        configure("alpha", "GMETRICCFG[temp] SMOOTHING=1 INTERVAL=10");
        measure("n1", "temp", 0);
        now = now.plusSeconds(20);
        measureAt("n1", "temp", 0);
        now = now.plusSeconds(1);
        measureAt("n1", "temp", 100);

        assertThat(told().get(1).get(0).getValue()).isCloseTo(100 * (1 - Math.exp(-1)), within(1e-9));
    }

    @Test
    void shouldTellWhatAPriorityFunctionWeighs() {
        configure("alpha", "NODECFG[n1] PRIORITYF='CPROCS - 3*GMETRIC[temp] + GMETRIC[fan]'");
        measure("n1", "temp", 60);
        measure("n1", "power", 900);
        measureUntil(61, "n1", "fan", 3);

        assertThat(told())
                .containsExactly(
                        List.of(measurement("temp", 60)), List.of(measurement("fan", 3), measurement("temp", 60)));
        assertThat(events().get(0).getObjectId()).isEqualTo("n1");
    }

    @Test
    void shouldTellAgainWhatAnotherSchedulerMayNotKnow() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=1");
        measureUntil(NodeValues.REPEATED_MILLIS / 1_000 + 1, "n1", "temp", 60);

        assertThat(told()).hasSize(2);
    }

    @Test
    void shouldTakeBackWhatTheConfigurationNoLongerAsksFor() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=1\nGMETRICCFG[fan] RESOLUTION=1 INTERVAL=10");
        measure("n1", "temp", 60);
        measureUntil(11, "n1", "fan", 3);
        context.resetForwards();
        configure("alpha", "GMETRICCFG[fan] RESOLUTION=1");
        upkeep();
        assertThat(told()).containsExactly(List.of(measurement("fan", 3)));

        configure("alpha", "");
        upkeep();
        assertThat(told()).containsExactly(List.of(measurement("fan", 3)), List.of());
        assertThat(store.approximateNumEntries()).isZero();
        upkeep();
        assertThat(told()).hasSize(2);
    }

    @Test
    void shouldTakeBackAValueThatIsADayOld() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=1");
        measure("n1", "temp", 60);
        context.resetForwards();
        now = now.plusSeconds(86_402);
        upkeep();

        assertThat(told()).containsExactly(List.of());
        assertThat(store.approximateNumEntries()).isZero();
    }

    @Test
    void shouldKnowAfterARestartWhatItTold() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=5");
        measure("n1", "temp", 60);
        restart();
        measureUntil(100, "n1", "temp", 64);
        assertThat(told()).isEmpty();

        measure("n1", "temp", 66);
        assertThat(told()).containsExactly(List.of(measurement("temp", 66)));
    }

    @Test
    void shouldTellOfManyNodesOneAfterAnother() {
        configure("alpha", "GMETRICCFG[temp] RESOLUTION=5");
        for (int i = 0; i < ReductionEvents.MOST_REPORTS + 10; i++) {
            measureAt("n" + i, "temp", i);
        }
        assertThat(told()).hasSize(ReductionEvents.MOST_REPORTS);

        upkeep();
        assertThat(told()).hasSize(ReductionEvents.MOST_REPORTS + 10);
        assertThat(count("weir.reduction.reports")).isEqualTo(ReductionEvents.MOST_REPORTS + 10);
    }

    @Test
    void shouldTellOfSoManyMetricsAndNoMore() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= ForwardedMetrics.MOST; i++) {
            text.append("GMETRICCFG[m").append(i).append("] RESOLUTION=1\n");
        }
        configure("alpha", text.toString());
        for (int i = 0; i <= ForwardedMetrics.MOST; i++) {
            measureAt("n1", "m" + i, i);
        }
        now = now.plusSeconds(61);
        upkeep();

        assertThat(told().get(1)).hasSize(ForwardedMetrics.MOST);
        assertThat(SitePolicy.read(text.toString()).problems())
                .anyMatch(problem -> problem.toString().contains("m" + ForwardedMetrics.MOST));
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
        measureAt(node, name, value);
    }

    /** Measures the same value for so many seconds. */
    private void measureUntil(long seconds, String node, String name, double value) {
        for (long i = 0; i < seconds; i++) {
            measure(node, name, value);
        }
    }

    private static Measurement measurement(String name, double value) {
        return new Measurement(name, value);
    }

    /** Returns the values that the scheduler was told, report by report. */
    private List<List<Measurement>> told() {
        return events().stream()
                .map(GenericEvent::getMeasurements)
                .filter(Objects::nonNull)
                .toList();
    }

    private void measureAt(String node, String name, double value) {
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
