package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.schemas.CommandKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

class ClusterProcessorTest {
    @Test
    void shouldAnswerACompleteHeartbeatWithAnIterationAndItsOutputs() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(connector.node("n1", 4));
            harness.deliver(connector.job(1, 2));
            harness.deliver(connector.heartbeat());

            assertThat(harness.iterations()).hasSize(1);
            assertThat(harness.iterations().get(0).getNow()).isEqualTo(connector.rmTime());
            assertThat(harness.read(Topics.COMMANDS))
                    .extracting(RmCommand::getKind, RmCommand::getJobId)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(CommandKind.START_JOB, "j1"));
            assertThat(harness.commits()).isEqualTo(1);
            assertThat(harness.causes()).isEmpty();
            assertThat(harness.journaledInputs()).isEqualTo(4);
        }
    }

    /** Streams interleaves topics as it likes; each topic keeps its own order. */
    @Test
    void shouldDecideTheSameInEveryInterleavingAndOnlyWhenTheHeartbeatIsComplete() {
        int orders = 0;
        for (String order : merges("HB", "NN", "JJ")) {
            try (StreamHarness harness = StreamHarness.rm()) {
                FakeConnector connector = new FakeConnector(harness);
                List<ConsumerRecord<byte[], byte[]>> beats = new ArrayList<>(List.of(connector.hello()));
                List<ConsumerRecord<byte[], byte[]>> nodes =
                        new ArrayList<>(List.of(connector.node("n1", 4), connector.node("n2", 4)));
                List<ConsumerRecord<byte[], byte[]>> jobs =
                        new ArrayList<>(List.of(connector.running(1, 3, "n2"), connector.job(2, 4)));
                beats.add(connector.heartbeat());
                for (int i = 0; i < order.length(); i++) {
                    assertThat(harness.iterations()).as(order).isEmpty();
                    harness.deliver(
                            switch (order.charAt(i)) {
                                case 'N' -> nodes.remove(0);
                                case 'J' -> jobs.remove(0);
                                default -> beats.remove(0);
                            });
                }
                assertThat(harness.iterations()).as(order).hasSize(1);
                assertThat(harness.journaledInputs()).as(order).isEqualTo(6);
                assertThat(harness.causes()).as(order).isEmpty();
                assertThat(harness.read(Topics.COMMANDS)).as(order).hasSize(1);
                assertThat(harness.read(Topics.COMMANDS)
                                .get(0)
                                .getAllocation()
                                .get(0)
                                .getNodeId())
                        .as(order)
                        .isEqualTo("n1");
                orders++;
            }
        }
        assertThat(orders).isEqualTo(90);
    }

    @Test
    void shouldTickHalfAsOftenAgainAsItCoalescesAndAtLeastOnceASecond() {
        assertThat(intervals(ClockMode.WALL, Duration.ofMillis(4), Duration.ofMinutes(5)))
                .containsExactly(Duration.ofMillis(2));
        assertThat(intervals(ClockMode.WALL, Duration.ofSeconds(10), Duration.ofMinutes(5)))
                .containsExactly(Duration.ofSeconds(1));
        assertThat(intervals(ClockMode.WALL, Duration.ofMillis(1), Duration.ofMinutes(5)))
                .containsExactly(Duration.ofMillis(1));
        assertThat(intervals(ClockMode.WALL, Duration.ofMillis(2), Duration.ofMinutes(5)))
                .containsExactly(Duration.ofMillis(1));
    }

    @Test
    void shouldTickAsOftenAsFactsAreGivenUpByTheClockOfTheResourceManager() {
        assertThat(intervals(ClockMode.RM, Duration.ofMillis(4), Duration.ofMillis(700)))
                .containsExactly(Duration.ofMillis(700));
        assertThat(intervals(ClockMode.RM, Duration.ofMillis(4), Duration.ofMinutes(5)))
                .containsExactly(Duration.ofSeconds(1));
    }

    private static List<Duration> intervals(ClockMode clock, Duration coalesce, Duration gapTimeout) {
        StreamSettings settings = StreamHarness.settings(clock, false);
        try (StreamHarness harness = new StreamHarness(new StreamSettings(
                settings.names(),
                settings.clusters(),
                settings.givenUp(),
                settings.partitions(),
                clock,
                coalesce,
                settings.maxSkew(),
                gapTimeout,
                false,
                settings.build()))) {
            return harness.intervals();
        }
    }

    @Test
    void shouldNeitherTickNorTakeInputsWhenItIsClosed() {
        StreamHarness harness = StreamHarness.rm();
        FakeConnector connector = new FakeConnector(harness);
        ConsumerRecord<byte[], byte[]> hello = connector.hello();
        harness.close();

        assertThat(harness.intervals()).isEmpty();
        assertThatThrownBy(() -> harness.deliver(hello))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The processor is not initialised");
    }

    @Test
    void shouldRefuseATopicWithoutThePrefix() {
        try (StreamHarness harness = StreamHarness.rm()) {
            assertThatThrownBy(() -> harness.deliver(
                            new ConsumerRecord<>("other.rm.jobs", 0, 0, new byte[] {1}, new byte[] {1})))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Topic other.rm.jobs lacks the prefix 'weir.'");
        }
    }

    /** Kafka Streams would commit half a unit before it revives the task. */
    @Test
    void shouldStopTheStreamWhenATaskIsFoundCorruptedInMidWork() {
        try (StreamHarness harness = failing(() -> new TaskCorruptedException(Set.of()))) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());

            assertThatThrownBy(() -> harness.deliver(connector.node("bad", 4)))
                    .isInstanceOf(StreamRestartException.class)
                    .hasMessage("Task 0_0 was corrupted in mid-work");
        }
    }

    /** As where an output topic was removed; of what a punctuation throws, Kafka Streams makes a corrupted task. */
    @Test
    void shouldStopTheStreamWhenTheBrokerKeepsItWaitingInMidWork() {
        try (StreamHarness harness =
                failing(() -> new TimeoutException("Topic weir.decisions not present in metadata"))) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());

            assertThatThrownBy(() -> harness.deliver(connector.node("bad", 4)))
                    .isInstanceOf(StreamRestartException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
        }
    }

    @Test
    void shouldBeginAgainWhenAnInputFailsAndSayOnWhat() {
        try (StreamHarness harness = failing(() -> new ArithmeticException("integer overflow"))) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());

            assertThatThrownBy(() -> harness.deliver(connector.node("bad", 4)))
                    .isInstanceOf(StreamRestartException.class)
                    .hasMessage("Task 0_0 failed on what it worked on")
                    .hasCauseInstanceOf(ArithmeticException.class);
        }
    }

    private static StreamHarness failing(Supplier<Throwable> failure) {
        return new StreamHarness(
                StreamHarness.settings(ClockMode.RM, false),
                cluster -> FaultyScheduler.of(
                        cluster, (kind, id) -> kind == QuarantineKind.NODE && id.equals("bad"), failure),
                new OutputLimits());
    }

    @Test
    void shouldAskForACommitOnlyWhereAnIterationSaysSomething() {
        try (StreamHarness harness = StreamHarness.wall()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(connector.heartbeat());
            assertThat(harness.commits()).as("it answers a heartbeat").isEqualTo(1);

            harness.deliver(connector.node("n1", 4));
            harness.deliver(connector.node("n1", 4, NodeState.DOWN));
            harness.advance(Duration.ofMillis(10));
            assertThat(harness.iterations()).hasSize(2);
            assertThat(harness.commits()).as("it publishes a node").isEqualTo(2);
            harness.deliver(connector.node("n1", 4, NodeState.DOWN));
            harness.advance(Duration.ofMillis(10));

            assertThat(harness.iterations()).hasSize(3);
            assertThat(harness.commits()).as("nothing is new").isEqualTo(2);
            assertThat(harness.meters.get("weir.iteration").timer().count()).isEqualTo(3);
            assertThat(harness.meter("weir.inputs")).isEqualTo(5);
        }
    }

    @Test
    void shouldBeginNothingWhenItsStartIsRefused() {
        try (StreamHarness harness = StreamHarness.rm()) {
            ClusterProcessor processor = new ClusterProcessor(
                    harness.settings(),
                    harness.codec,
                    new StreamMetrics(harness.meters),
                    task -> {
                        throw new StreamRestartException("not here", null);
                    },
                    new Suspicions(),
                    ClusterScheduler::new,
                    new OutputLimits(),
                    new Pace(new Backlog(), () -> 0, 25));

            assertThatThrownBy(() -> processor.init(new MockProcessorContext<>()))
                    .isInstanceOf(StreamRestartException.class)
                    .hasMessage("not here");
        }
    }

    /** Of the clusters one belongs on each of the two partitions; the task has the first of these. */
    @Test
    void shouldScheduleTheClustersOfItsPartitionAlone() {
        StreamSettings settings = StreamHarness.settings(ClockMode.RM, false);
        String here = clusterOn(0);
        String elsewhere = clusterOn(1);
        try (StreamHarness harness = new StreamHarness(new StreamSettings(
                settings.names(),
                new TreeSet<>(Set.of(here, elsewhere)),
                settings.givenUp(),
                2,
                settings.clock(),
                settings.coalesce(),
                settings.maxSkew(),
                settings.gapTimeout(),
                false,
                settings.build()))) {
            harness.deliver(new FakeConnector(harness, here).hello());
            assertThat(harness.causes()).isEmpty();

            harness.deliver(new FakeConnector(harness, elsewhere).hello());

            assertThat(harness.causes()).containsExactly("MISROUTED");
        }
    }

    private static String clusterOn(int partition) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "c" + i)
                .filter(name -> ClusterPartitioner.partition(name, 2) == partition)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldKnowAfterARestartWhatAnIterationDecided() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(connector.node("n1", 4));
            harness.deliver(connector.job(1, 2));
            harness.deliver(connector.heartbeat());

            harness.start();
            harness.deliver(connector.heartbeat());

            assertThat(harness.iterations()).extracting(Iteration::getNumber).containsExactly(1L, 2L);
            assertThat(harness.read(Topics.COMMANDS))
                    .as("the job was started before")
                    .hasSize(1);
        }
    }

    @Test
    void shouldCountTheRequestsThatAreAnswered() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());
            harness.deliver(harness.write(
                    Topics.REQUESTS,
                    "alpha/r1",
                    Request.newBuilder()
                            .setCluster("alpha")
                            .setRequestId("r1")
                            .setKind(RequestKind.CANCEL_JOB)
                            .setObjectId("unknown")
                            .setPrincipal("root")
                            .setTime(harness.now())
                            .setArguments(List.of())
                            .setLevel(1)
                            .build(),
                    StreamHarness.noHeaders()));
            harness.deliver(connector.heartbeat());

            assertThat(harness.meter("weir.requests", "outcome", "refused")).isEqualTo(1);
        }
    }

    @Test
    void shouldRejectWhatTheCoreRejects() {
        try (StreamHarness harness = StreamHarness.rm()) {
            FakeConnector connector = new FakeConnector(harness);
            harness.deliver(connector.hello());

            harness.deliver(connector.job(1, 0));

            assertThat(harness.causes()).hasSize(1);
            assertThat(harness.read(Topics.DEAD_LETTERS).get(0).getOffset()).isZero();
        }
    }

    private static List<String> merges(String... topics) {
        List<String> merged = new ArrayList<>();
        merge("", topics, merged);
        return merged;
    }

    private static void merge(String done, String[] topics, List<String> merged) {
        boolean end = true;
        for (int i = 0; i < topics.length; i++) {
            if (!topics[i].isEmpty()) {
                end = false;
                String[] rest = topics.clone();
                rest[i] = topics[i].substring(1);
                merge(done + topics[i].charAt(0), rest, merged);
            }
        }
        if (end) {
            merged.add(done);
        }
    }
}
