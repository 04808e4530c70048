package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeState;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import io.weir.schemas.TopicCount;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What intake lets through, what it holds, what it drops and what it refuses. */
class IntakeTest {
    private final StreamHarness harness = StreamHarness.rm();
    private final FakeConnector connector = new FakeConnector(harness);

    @BeforeEach
    void open() {
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(1);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void shouldDropAndCountADuplicate() {
        ConsumerRecord<byte[], byte[]> job = connector.job(1, 1);
        harness.deliver(job);
        long journaled = harness.journaledInputs();
        harness.deliver(harness.write(Topics.RM_JOBS, job.key(), job.value(), job.timestamp(), job.headers()));

        assertThat(harness.journaledInputs()).isEqualTo(journaled);
        assertThat(harness.dropped("duplicate")).isEqualTo(1);
        assertThat(harness.causes()).isEmpty();
    }

    @Test
    void shouldDropARepeatedHeartbeat() {
        ConsumerRecord<byte[], byte[]> heartbeat = connector.heartbeat();
        harness.deliver(heartbeat);
        harness.deliver(harness.write(
                Topics.RM_HEARTBEATS, heartbeat.key(), heartbeat.value(), heartbeat.timestamp(), heartbeat.headers()));

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.dropped("duplicate")).isEqualTo(1);
    }

    @Test
    void shouldDropFactsAndHeartbeatsOfAnOlderEpoch() {
        ConsumerRecord<byte[], byte[]> lateJob = connector.job(1, 1);
        ConsumerRecord<byte[], byte[]> heartbeat = connector.heartbeat();
        harness.deliver(connector.hello());
        harness.deliver(lateJob);
        // A zombie writes on behind its successor's HELLO.
        harness.deliver(harness.write(
                Topics.RM_HEARTBEATS, heartbeat.key(), heartbeat.value(), heartbeat.timestamp(), heartbeat.headers()));

        assertThat(harness.dropped("stale")).isEqualTo(2);
        assertThat(harness.iterations()).hasSize(1);
    }

    @Test
    void shouldDropAHeldHeartbeatWhenTheNextEpochOpens() {
        connector.job(1, 1);
        harness.deliver(connector.heartbeat());
        harness.deliver(connector.hello());
        harness.deliver(connector.node("n1", 4));
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.iterations().get(1).getAnswers().getEpoch()).isEqualTo(connector.epoch());
        assertThat(harness.dropped("stale")).isEqualTo(1);
    }

    @Test
    void shouldRefuseFactsOfAnEpochThatNoHelloOpened() {
        Headers headers = connector.headers(1);
        FactHeaders.EPOCH.put(headers, 99);
        ConsumerRecord<byte[], byte[]> job = harness.write(
                Topics.RM_JOBS, "alpha/j1", connector.jobReport(1, 1).build(), headers);
        harness.deliver(job);
        assertThat(harness.causes()).isEmpty();
        while (harness.log.end(new org.apache.kafka.common.TopicPartition("weir.rm.heartbeats", 0)) < 100) {
            harness.deliver(connector.heartbeat());
        }

        assertThat(harness.causes()).containsExactly("UNKNOWN_EPOCH");
    }

    /** Facts of an epoch that will never open take half of the room, and no more. */
    @Test
    void shouldKeepRoomForReportsThatWaitForTheirNodes() {
        for (int i = 1; i <= 10_001; i++) {
            Headers headers = connector.headers(i);
            FactHeaders.EPOCH.put(headers, Long.MAX_VALUE);
            harness.deliver(harness.write(
                    Topics.RM_JOBS, "alpha/far", connector.jobReport(1, 1).build(), headers));
        }
        assertThat(harness.causes()).containsExactly("NO_ROOM");
        assertThat(harness.read(Topics.DEAD_LETTERS).get(0).getMessage())
                .isEqualTo(
                        "It would have to wait for its epoch, and 10000 others wait already; send it again once these"
                                + " are done");

        harness.deliver(connector.running(2, 1, "n2"));
        harness.deliver(connector.node("n2", 4));
        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).hasSize(1);
        assertThat(harness.read(Topics.JOBS))
                .extracting(JobStatus::getJobId, JobStatus::getState)
                .contains(tuple("j2", JobState.RUNNING));
    }

    @Test
    void shouldAskForAFullPollWhenCountedFactsNeverCome() {
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(1);

        harness.advance(Duration.ofSeconds(9));
        assertThat(harness.iterations()).hasSize(1);
        harness.advance(Duration.ofSeconds(2));

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.iterations().get(1).getAnswers().getNumber()).isEqualTo(2);
        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        assertThat(harness.read(Topics.COMMANDS)).extracting(RmCommand::getKind).containsExactly(CommandKind.FULL_POLL);

        harness.deliver(connector.job(2, 1));
        harness.deliver(connector.heartbeat(true));
        assertThat(harness.iterations()).hasSize(3);
        assertThat(harness.causes()).hasSize(1);
    }

    @Test
    void shouldWaitForAsLongAsTheFactsOfALargePollCome() {
        List<ConsumerRecord<byte[], byte[]>> jobs = jobs(3);
        harness.deliver(connector.heartbeat());
        for (ConsumerRecord<byte[], byte[]> job : jobs) {
            harness.advance(Duration.ofSeconds(9));
            assertThat(harness.iterations()).hasSize(1);
            harness.deliver(job);
        }

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.causes()).isEmpty();
        assertThat(harness.read(Topics.COMMANDS)).extracting(RmCommand::getKind).containsOnly(CommandKind.START_JOB);
    }

    /** While an iteration runs nothing is read. */
    @Test
    void shouldNotCountTheTimeOfIterationsAgainstFactsThatAreWaitedFor() {
        AtomicReference<StreamHarness> slow = new AtomicReference<>();
        try (StreamHarness busy = new StreamHarness(
                StreamHarness.settings(ClockMode.WALL, false),
                cluster -> FaultyScheduler.of(
                        cluster,
                        (kind, id) -> {
                            if (id.equals("n1") && FaultyScheduler.calledBy("TransientFailures.settle")) {
                                Optional.ofNullable(slow.getAndSet(null))
                                        .ifPresent(harness -> harness.spend(Duration.ofSeconds(12)));
                            }
                            return false;
                        },
                        IllegalStateException::new),
                new OutputLimits())) {
            FakeConnector large = new FakeConnector(busy);
            busy.deliver(large.hello());
            busy.deliver(large.node("n1", 4));
            large.lose(Topics.RM_JOBS);
            busy.deliver(large.heartbeat());
            busy.deliver(large.node("n1", 4, NodeState.DOWN));
            slow.set(busy);
            busy.advance(Duration.ofMillis(10));
            assertThat(slow).as("an iteration of twelve seconds").hasValue(null);

            busy.advance(Duration.ofSeconds(12));
            assertThat(busy.causes()).isEmpty();
            busy.advance(Duration.ofSeconds(10));
            assertThat(busy.causes()).containsExactly("INCOMPLETE");
        }
    }

    @Test
    void shouldNotWaitForEverForFactsThatTrickleIn() {
        List<ConsumerRecord<byte[], byte[]>> jobs = jobs(100);
        harness.deliver(connector.heartbeat());
        int come = 0;
        while (harness.causes().isEmpty()) {
            harness.deliver(jobs.get(come++));
            harness.advance(Duration.ofSeconds(9));
        }

        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        assertThat(come).isEqualTo(34);
    }

    private List<ConsumerRecord<byte[], byte[]>> jobs(int count) {
        return LongStream.rangeClosed(1, count)
                .mapToObj(number -> connector.job(number, 1))
                .toList();
    }

    @Test
    void shouldAskAtOnceWhenALaterFactShowsThatOneIsLost() {
        connector.lose(Topics.RM_JOBS);
        harness.deliver(connector.job(2, 1));
        harness.deliver(connector.heartbeat());

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.causes()).containsExactly("INCOMPLETE");
    }

    @Test
    void shouldNotBlameAPollForWhatTheNextOneLost() {
        ConsumerRecord<byte[], byte[]> first = connector.job(1, 1);
        ConsumerRecord<byte[], byte[]> heartbeat = connector.heartbeat();
        connector.lose(Topics.RM_JOBS);
        harness.deliver(first);
        harness.deliver(connector.job(3, 1));
        harness.deliver(heartbeat);
        assertThat(harness.causes()).isEmpty();

        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).containsExactly("INCOMPLETE");
    }

    @Test
    void shouldParkAReportOnUnknownNodesUntilTheyAreReported() {
        harness.deliver(connector.running(1, 2, "n2"));
        harness.deliver(connector.ended(1, 2));
        assertThat(harness.causes()).isEmpty();
        long journaled = harness.journaledInputs();

        harness.deliver(connector.node("n2", 4));

        assertThat(harness.journaledInputs()).isEqualTo(journaled + 3);
        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).isEmpty();
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldRefuseAParkedReportWhenItsPollIsOver() {
        harness.deliver(connector.running(1, 2, "n9"));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("UNKNOWN_NODE");
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldKeepParkedAndHeldRecordsAcrossARestart() {
        harness.deliver(connector.running(1, 2, "n2"));
        ConsumerRecord<byte[], byte[]> node = connector.node("n2", 4);
        harness.deliver(connector.heartbeat());
        harness.start();
        assertThat(harness.iterations()).hasSize(1);

        harness.deliver(node);

        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.causes()).isEmpty();
    }

    static Stream<Topic<?>> inputs() {
        return SchedulerTopology.inputs().stream();
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterBytesThatAreNoRecord(Topic<?> topic) {
        for (byte[] value : List.of(new byte[0], new byte[] {7, 7, 7}, new byte[] {0, 0, 0, 9, 9, 1, 2, 3})) {
            poison(topic, "UNDECODABLE", key("alpha/x"), value, harness.now().toEpochMilli());
        }
        poison(topic, "UNDECODABLE", key("alpha/x"), null, harness.now().toEpochMilli());
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterRecordsOfAnotherSchema(Topic<?> topic) {
        byte[] metric = harness.codec.encode(
                Topics.MONITORING_METRICS, new NodeMetric("alpha", "n1", "temp", 1.0, harness.now()));
        poison(topic, "UNDECODABLE", key("alpha/x"), metric, harness.now().toEpochMilli());
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterWhatIsTooLargeAndSayHowLargeItWas(Topic<?> topic) {
        byte[] value = new byte[RecordSize.mostInput(topic)];
        harness.deliver(
                harness.write(topic, key("alpha/x"), value, harness.now().toEpochMilli(), StreamHarness.noHeaders()));

        List<DeadLetter> letters = harness.read(Topics.DEAD_LETTERS);
        DeadLetter letter = letters.get(letters.size() - 1);
        assertThat(letter.getCause()).isEqualTo("TOO_LARGE");
        assertThat(letter.getMessage()).contains("have " + (value.length + "alpha/x".length()) + " bytes");
        assertThat(letter.getValue().remaining()).isLessThanOrEqualTo(1 << 20);
        assertThat(letter.getMessage().contains("SHA-256")).isEqualTo(value.length > 1 << 20);
    }

    /** Headers without name and value take no bytes of their own, and a record has room for millions of them. */
    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterWhatHasNothingButHeadersAndLeaveMostOfThemOut(Topic<?> topic) {
        RecordHeaders headers = new RecordHeaders();
        int many = RecordSize.mostInput(topic) / 50;
        for (int i = 0; i < many; i++) {
            headers.add("", null);
        }
        harness.deliver(harness.write(
                topic, key("alpha/x"), new byte[] {1}, harness.now().toEpochMilli(), headers));

        DeadLetter letter = harness.read(Topics.DEAD_LETTERS).get(0);
        assertThat(letter.getCause()).isEqualTo("TOO_LARGE");
        assertThat(letter.getHeaders()).hasSize(1_024);
        assertThat(letter.getMessage()).contains((many - 1_024) + " headers left out");
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterNegativeTimestampsAndSayWhatTheyWere(Topic<?> topic) {
        poison(topic, "BAD_TIMESTAMP", key("alpha/x"), new byte[] {1}, -7);
        List<DeadLetter> letters = harness.read(Topics.DEAD_LETTERS);
        assertThat(letters.get(letters.size() - 1).getTimestamp()).isEqualTo(-7);
        assertThat(letters.get(letters.size() - 1).getHeaders()).isEmpty();
    }

    /** One record of the year 292278994 would keep the journal from ever being deleted. */
    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterTimestampsOfTimesThatNobodyPlansFor(Topic<?> topic) {
        poison(topic, "BAD_TIMESTAMP", key("alpha/x"), new byte[] {1}, Long.MAX_VALUE);
        poison(topic, "BAD_TIMESTAMP", key("alpha/x"), new byte[] {1}, 4_102_444_800_000L);
        poison(topic, "UNDECODABLE", key("alpha/x"), new byte[] {1}, 4_102_444_799_999L);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldDeadLetterRecordsWithoutAKeyOrOfAnotherCluster(Topic<?> topic) {
        poison(topic, "BAD_KEY", null, new byte[] {1}, harness.now().toEpochMilli());
        poison(topic, "MISROUTED", key("gamma/x"), new byte[] {1}, harness.now().toEpochMilli());
    }

    @Test
    void shouldDeadLetterARecordWhoseKeyNamesAnotherCluster() {
        FakeConnector other = new FakeConnector(harness, "beta");
        ConsumerRecord<byte[], byte[]> hello = other.hello();
        harness.deliver(harness.write(
                Topics.RM_HEARTBEATS, key("alpha/sim"), hello.value(), hello.timestamp(), hello.headers()));

        assertThat(harness.causes()).containsExactly("MISROUTED");
    }

    @Test
    void shouldDeadLetterAClusterThatBelongsOnAnotherPartition() {
        StreamSettings one = StreamHarness.settings(ClockMode.RM, false);
        StreamSettings two = new StreamSettings(
                one.names(),
                new TreeSet<>(Set.of("a", "b", "c", "d", "e", "f", "g", "h")),
                one.givenUp(),
                2,
                one.clock(),
                one.coalesce(),
                one.maxSkew(),
                one.gapTimeout(),
                false,
                one.build());
        String elsewhere = two.clusters().stream()
                .filter(cluster -> ClusterPartitioner.partition(cluster, 2) == 1)
                .findFirst()
                .orElseThrow();
        try (StreamHarness task = new StreamHarness(two)) {
            task.deliver(new FakeConnector(task, elsewhere).hello());

            assertThat(task.read(Topics.DEAD_LETTERS)).singleElement().satisfies(letter -> {
                assertThat(letter.getCause()).isEqualTo("MISROUTED");
                assertThat(letter.getMessage()).contains("belongs on partition 1");
            });
        }
    }

    @Test
    void shouldDeadLetterReportsWithoutAConnector() {
        harness.deliver(harness.write(
                Topics.RM_JOBS, "alpha/j1", connector.jobReport(1, 1).build(), StreamHarness.noHeaders()));

        assertThat(harness.causes()).containsExactly("NO_CONNECTOR");
    }

    @Test
    void shouldDeadLetterFactsWithHeadersMissingOrContradicting() {
        Headers noSequence = connector.headers(1);
        noSequence.remove(FactHeaders.SEQUENCE.name());
        harness.deliver(harness.write(
                Topics.RM_JOBS, "alpha/j1", connector.jobReport(1, 1).build(), noSequence));
        harness.deliver(harness.write(
                Topics.RM_HEARTBEATS,
                "alpha/sim",
                connector.beat(HeartbeatKind.HEARTBEAT, 7, false),
                connector.headers(8)));
        RecordHeaders other = new RecordHeaders();
        FactHeaders.CONNECTOR.put(other, "other");
        harness.deliver(
                harness.write(Topics.RM_HEARTBEATS, "alpha/sim", connector.beat(HeartbeatKind.HELLO, 0, false), other));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "BAD_HEADERS", "BAD_HEADERS");
    }

    @Test
    void shouldDeadLetterNumbersOutOfRangeOnEveryInputTopic() {
        harness.deliver(connector.node("n2", -1));
        harness.deliver(connector.job(1, 0));
        harness.deliver(harness.write(
                Topics.REQUESTS,
                "alpha/r1",
                new Request(
                        "alpha",
                        "r1",
                        "root",
                        RequestKind.CANCEL_JOB,
                        "j1",
                        null,
                        Instant.ofEpochSecond(9_000_000_000L),
                        List.of(),
                        null),
                StreamHarness.noHeaders()));
        harness.deliver(harness.write(
                Topics.MONITORING_EVENTS,
                "alpha/n1",
                new GenericEvent("alpha", "hot", "node", "n1", null, Instant.ofEpochSecond(-5), null, true, null),
                StreamHarness.noHeaders()));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsOnly("OUT_OF_RANGE").hasSize(4);
        assertThat(harness.iterations()).hasSize(2);
    }

    /** A bad record among a connector's facts is one of its facts all the same. */
    @Test
    void shouldCountAPoisonedFactAmongThoseOfItsConnector() {
        harness.deliver(harness.write(
                Topics.RM_JOBS,
                key("alpha/j1"),
                new byte[] {1, 2},
                harness.now().toEpochMilli(),
                connector.nextHeaders(Topics.RM_JOBS)));
        harness.deliver(connector.job(2, 1));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("UNDECODABLE");
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldNotLetAPoisonWithABorrowedNumberTakeItsPlace() {
        harness.deliver(connector.job(1, 1));
        harness.deliver(harness.write(
                Topics.RM_JOBS, key("alpha/j1"), new byte[] {1}, harness.now().toEpochMilli(), connector.headers(1)));
        harness.deliver(connector.job(2, 1));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("UNDECODABLE");
        assertThat(harness.iterations()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, 1L << 53, 1_000})
    void shouldNotLetANumberThatNobodyCountedToSilenceItsConnector(long sequence) {
        harness.deliver(harness.write(
                Topics.RM_JOBS, "alpha/j9", connector.jobReport(9, 1).build(), connector.headers(sequence)));
        harness.deliver(harness.write(
                Topics.RM_JOBS,
                key("alpha/j8"),
                new byte[] {1},
                harness.now().toEpochMilli(),
                connector.headers(sequence)));
        long journaled = harness.journaledInputs();
        harness.deliver(connector.job(1, 1));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "UNDECODABLE");
        assertThat(harness.read(Topics.DEAD_LETTERS).get(0).getMessage())
                .contains("weir-seq " + sequence + " of connector 'sim'; at most 101 ");
        assertThat(harness.dropped("duplicate")).isZero();
        assertThat(harness.journaledInputs()).isEqualTo(journaled + 2);
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldNotLetAHeartbeatThatNobodyCountedToSilenceItsConnector() {
        for (long number : List.of(Long.MAX_VALUE, 1L << 53, 1_000L)) {
            harness.deliver(harness.write(
                    Topics.RM_HEARTBEATS,
                    "alpha/sim",
                    connector.beat(HeartbeatKind.HEARTBEAT, number, true),
                    connector.headers(number)));
        }
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("BAD_HEADERS", "BAD_HEADERS", "BAD_HEADERS");
        assertThat(harness.dropped("duplicate")).isZero();
        assertThat(harness.iterations()).hasSize(2);
    }

    /** All that lay between two facts of a connector may have been deleted before it was read. */
    @Test
    void shouldGoOnBehindAsManyLostFactsAsTheTopicHadRoomFor() {
        harness.deliver(connector.job(1, 1));
        for (int i = 0; i < 1_000; i++) {
            connector.job(2, 1);
        }
        harness.start();
        harness.deliver(connector.job(3, 1));
        harness.deliver(connector.heartbeat());
        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        harness.deliver(connector.job(4, 1));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).hasSize(1);
        assertThat(harness.dropped("duplicate")).isZero();
        assertThat(harness.iterations()).hasSize(3);
    }

    @Test
    void shouldGoOnBehindLostFactsInANewEpochToo() {
        harness.deliver(connector.job(1, 1));
        harness.deliver(connector.hello());
        for (int i = 0; i < 1_000; i++) {
            connector.job(2, 1);
        }
        harness.deliver(connector.job(3, 1));
        harness.deliver(harness.write(
                Topics.RM_JOBS, "alpha/j9", connector.jobReport(9, 1).build(), connector.headers(1_200)));

        assertThat(harness.causes()).containsExactly("BAD_HEADERS");
    }

    /** A heartbeat that counts what nobody wrote is given up; those behind it wait for what they count all the same. */
    @Test
    void shouldNotTakeAsAnsweredForWhatNobodyWrote() {
        harness.deliver(connector.job(1, 1));
        harness.deliver(harness.write(Topics.RM_HEARTBEATS, "alpha/sim", counting(1L << 40, 2), connector.headers(2)));
        harness.advance(Duration.ofSeconds(11));
        assertThat(harness.causes()).containsExactly("INCOMPLETE");

        connector.heartbeat();
        ConsumerRecord<byte[], byte[]> job = connector.job(2, 1);
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);
        harness.deliver(job);
        assertThat(harness.iterations()).hasSize(3);
        assertThat(harness.causes()).hasSize(1);
    }

    @Test
    void shouldNotWaitForFactsThatTheNextHeartbeatShowsWereNeverWritten() {
        harness.deliver(connector.job(1, 1));
        harness.deliver(harness.write(Topics.RM_HEARTBEATS, "alpha/sim", counting(1L << 40, 2), connector.headers(2)));
        connector.heartbeat();
        harness.deliver(connector.heartbeat());
        harness.advance(Duration.ofMillis(10));

        assertThat(harness.causes()).containsExactly("INCOMPLETE");
        assertThat(harness.iterations()).hasSize(3);
    }

    @Test
    void shouldRefuseAHeartbeatThatCountsMoreThanAnybodyCanWrite() {
        harness.deliver(
                harness.write(Topics.RM_HEARTBEATS, "alpha/sim", counting(Long.MAX_VALUE, 2), connector.headers(2)));
        harness.deliver(connector.heartbeat());

        assertThat(harness.causes()).containsExactly("OUT_OF_RANGE");
        assertThat(harness.iterations()).hasSize(2);
    }

    private Heartbeat counting(long jobs, long number) {
        return Heartbeat.newBuilder(connector.beat(HeartbeatKind.HEARTBEAT, number, false))
                .setCounts(List.of(new TopicCount(Topics.RM_JOBS.name(), jobs)))
                .build();
    }

    @Test
    void shouldTakeForeignReportsWhereThatIsConfigured() {
        try (StreamHarness open = new StreamHarness(StreamHarness.settings(ClockMode.RM, true))) {
            FakeConnector other = new FakeConnector(open);
            open.deliver(other.hello());
            open.deliver(open.write(
                    Topics.RM_NODES,
                    "alpha/n7",
                    io.weir.schemas.NodeReport.newBuilder()
                            .setCluster("alpha")
                            .setNodeId("n7")
                            .setState(NodeState.IDLE)
                            .setProcs(2)
                            .build(),
                    StreamHarness.noHeaders()));

            assertThat(open.causes()).isEmpty();
            assertThat(open.journaledInputs()).isEqualTo(2);
        }
    }

    /** Every poisoned record is dead-lettered with its origin, and the next heartbeat is answered as ever. */
    private void poison(Topic<?> topic, String cause, byte[] key, byte[] value, long timestamp) {
        int letters = harness.read(Topics.DEAD_LETTERS).size();
        int iterations = harness.iterations().size();
        ConsumerRecord<byte[], byte[]> record = harness.write(topic, key, value, timestamp, StreamHarness.noHeaders());
        harness.deliver(record);
        harness.deliver(connector.heartbeat());

        List<DeadLetter> found = new ArrayList<>(harness.read(Topics.DEAD_LETTERS));
        assertThat(found).hasSize(letters + 1);
        DeadLetter letter = found.get(letters);
        assertThat(letter.getCause()).isEqualTo(cause);
        assertThat(letter.getTopic()).isEqualTo(topic.name());
        assertThat(letter.getOffset()).isEqualTo(record.offset());
        assertThat(letter.getMessage()).isNotEmpty();
        assertThat(harness.iterations()).hasSize(iterations + 1);
    }

    private static byte[] key(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }
}
