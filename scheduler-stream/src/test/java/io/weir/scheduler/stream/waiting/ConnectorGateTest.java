package io.weir.scheduler.stream.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.Numbering;
import io.weir.scheduler.stream.waiting.ConnectorGate.Held;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.TopicCount;
import io.weir.topics.AvroTrust;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** The numbers of one connector. Its epoch is 10; heartbeat n has offset 10 + n. */
class ConnectorGateTest {
    private static final String NODES = "rm.nodes";
    private static final String JOBS = "rm.jobs";
    private static final Instant T0 = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration GAP = Duration.ofSeconds(10);
    private static final long EPOCH = 10;

    static {
        AvroTrust.install();
    }

    private final ConnectorGate gate = new ConnectorGate("alpha", "sim", EPOCH);

    @Test
    void shouldTakeANumberThatCameForADuplicateAndNotTheNext() {
        receive(JOBS, 3);

        assertThat(gate.isDuplicate(JOBS, 3)).isTrue();
        assertThat(gate.isDuplicate(JOBS, 4)).isFalse();
        assertThat(gate.isDuplicate(NODES, 1)).isFalse();
    }

    @Test
    void shouldCallNextOnlyTheNumberBehindTheLast() {
        assertThat(gate.isNext(JOBS, 1, 0)).isTrue();
        assertThat(gate.isNext(JOBS, 2, 0)).isFalse();
        receive(JOBS, 1);

        assertThat(gate.isNext(JOBS, 1, 2)).isFalse();
        assertThat(gate.isNext(JOBS, 2, 2)).isTrue();
        assertThat(gate.isNext(JOBS, 3, 2)).isFalse();
    }

    @Test
    void shouldCallNextWhatComesBehindTheNumbersThatWereGivenUp() {
        receive(JOBS, 1);
        gate.forgetMissing(beat(1, JOBS, 5));

        assertThat(gate.isNext(JOBS, 2, 2)).as("it may still come").isTrue();
        assertThat(gate.isNext(JOBS, 5, 2)).isFalse();
        assertThat(gate.isNext(JOBS, 6, 2)).isTrue();
    }

    @Test
    void shouldNotCallNextANumberThatNobodyCanHaveReached() {
        gate.forgetMissing(beat(1, JOBS, 1_000));

        assertThat(gate.isNext(JOBS, 1_001, 5)).isFalse();
        assertThat(gate.isNext(JOBS, 1_001, 1_000)).isTrue();
    }

    @Test
    void shouldBeReachedWhenTheLastCountedFactOfEachTopicHasCome() {
        Heartbeat beat = beat(1, NODES, 1, JOBS, 2);
        receive(NODES, 1);
        receive(JOBS, 1);
        assertThat(gate.isReached(beat)).isFalse();

        receive(JOBS, 2);

        assertThat(gate.isReached(beat)).isTrue();
        assertThat(gate.missing(beat)).isEmpty();
    }

    @Test
    void shouldWaitForATopicOfWhichNothingHasCome() {
        assertThat(gate.isReached(beat(1, JOBS, 0))).isTrue();
        assertThat(gate.isReached(beat(1, JOBS, 1))).isFalse();
        assertThat(gate.missing(beat(1, JOBS, 0))).isEmpty();
        assertThat(gate.missing(beat(1, JOBS, 1))).contains("rm.jobs 1..1");
    }

    @Test
    void shouldNameTheNumbersThatAFactJumpedOver() {
        receive(JOBS, 1);
        receive(JOBS, 4);

        assertThat(gate.missing(beat(1, JOBS, 4))).contains("rm.jobs 2..3");
        assertThat(gate.missing(beat(1, JOBS, 2))).contains("rm.jobs 2..2");
        assertThat(gate.missing(beat(1, JOBS, 1))).isEmpty();
    }

    @Test
    void shouldNameAllFromTheFirstLostNumberToTheLast() {
        receive(JOBS, 2);
        receive(JOBS, 3);
        receive(JOBS, 6);

        assertThat(gate.missing(beat(1, JOBS, 8))).contains("rm.jobs 1..5, rm.jobs 7..8");
    }

    @Test
    void shouldNotJumpOverWhatWasGivenUp() {
        gate.forgetMissing(beat(1, JOBS, 3));

        receive(JOBS, 4);

        assertThat(gate.missing(beat(2, JOBS, 4))).isEmpty();
    }

    @Test
    void shouldTakeWhatWasGivenUpAsAnsweredFor() {
        receive(JOBS, 1);
        receive(JOBS, 4);
        gate.forgetMissing(beat(1, JOBS, 4));

        assertThat(gate.missing(beat(2, JOBS, 4))).isEmpty();
        assertThat(progress()).containsExactly("rm.jobs 4 0..0 4");
    }

    @Test
    void shouldStillOweWhatWasLostBehindWhatWasGivenUp() {
        receive(JOBS, 6);

        gate.forgetMissing(beat(1, JOBS, 3));

        assertThat(gate.missing(beat(2, JOBS, 6))).contains("rm.jobs 4..5");
        assertThat(progress()).containsExactly("rm.jobs 6 4..5 3");
    }

    @Test
    void shouldOweNothingOfWhatWasLostUpToTheLastThatIsGivenUp() {
        receive(JOBS, 6);

        gate.forgetMissing(beat(1, JOBS, 5));

        assertThat(progress()).containsExactly("rm.jobs 6 0..0 5");
    }

    @Test
    void shouldNotGoBackInWhatItHasGivenUp() {
        gate.forgetMissing(beat(1, JOBS, 5));

        gate.forgetMissing(beat(2, JOBS, 3));

        assertThat(progress()).containsExactly("rm.jobs 0 0..0 5");
    }

    @Test
    void shouldTakeBackWhatItGaveUpWhenALaterHeartbeatCountsLess() {
        gate.forgetMissing(beat(1, JOBS, 5));
        gate.hold(held(2, T0, JOBS, 5));
        assertThat(gate.isReached(beat(2, JOBS, 5))).isTrue();

        gate.hold(held(3, T0, JOBS, 4));

        assertThat(gate.isReached(beat(3, JOBS, 4))).isFalse();
    }

    @Test
    void shouldFollowSixtyFourTopicsAndNoMore() {
        for (int topic = 1; topic <= 70; topic++) {
            gate.forgetMissing(beat(topic, "t" + topic, 1));
        }
        gate.forgetMissing(beat(71, "t1", 2));

        assertThat(gate.toRecord().getTopics()).hasSize(64);
        assertThat(gate.isReached(beat(72, "t1", 2))).as("one that is followed").isTrue();
        assertThat(gate.isReached(beat(72, "t70", 1))).isFalse();
    }

    @Test
    void shouldTakeAHeartbeatForRepeatedUpToTheLastOne() {
        gate.hold(held(2, T0));

        assertThat(gate.isRepeated(beat(2))).isTrue();
        assertThat(gate.isRepeated(beat(3))).isFalse();
        assertThat(gate.highestHeartbeat(EPOCH + 3)).isEqualTo(103);
    }

    @Test
    void shouldLetHeartbeatsGoInTheirOrder() {
        gate.hold(held(1, T0));
        gate.hold(held(2, T0));
        gate.removeFirstHeld();

        assertThat(gate.firstHeld()).map(first -> first.heartbeat().getNumber()).contains(2L);
        assertThat(gate.heldCount()).isEqualTo(1);
    }

    @Test
    void shouldBeFullWithSixtyFourHeartbeats() {
        for (int number = 1; number <= 63; number++) {
            gate.hold(held(number, T0));
        }
        assertThat(gate.isFull()).isFalse();

        gate.hold(held(64, T0));

        assertThat(gate.isFull()).isTrue();
    }

    @Test
    void shouldGiveUpWhatDoesNotComeWithinTheGap() {
        Held waiting = held(1, T0, JOBS, 2);
        gate.hold(waiting);

        assertThat(gate.isLost(waiting, GAP, T0.plusMillis(9_999))).isFalse();
        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(10))).isTrue();
    }

    @Test
    void shouldGoOnWaitingWhileFactsCome() {
        Held waiting = held(1, T0, NODES, 1, JOBS, 5);
        gate.hold(waiting);
        gate.receive(NODES, new Numbering(1, 1), T0);
        gate.receive(JOBS, new Numbering(1, 1), T0.plusSeconds(5));

        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(14))).isFalse();
        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(15))).isTrue();
    }

    /** Facts of a topic of which all has come say nothing of the others. */
    @Test
    void shouldNotWaitBecauseOfATopicThatIsComplete() {
        Held waiting = held(1, T0, NODES, 1, JOBS, 5);
        gate.hold(waiting);
        gate.receive(NODES, new Numbering(1, 1), T0.plusSeconds(9));

        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(10))).isTrue();
    }

    @Test
    void shouldGiveUpAfterThirtyGapsWhateverComes() {
        Held waiting = held(1, T0, JOBS, 500);
        gate.hold(waiting);
        gate.receive(JOBS, new Numbering(1, 1), T0.plusSeconds(299));

        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(299))).isFalse();
        assertThat(gate.isLost(waiting, GAP, T0.plusSeconds(300))).isTrue();
    }

    @Test
    void shouldGiveUpAtOnceWhatALaterHeartbeatShowsWasNeverWritten() {
        Held waiting = held(1, T0, JOBS, 5, NODES, 1);
        gate.hold(waiting);
        gate.hold(held(2, T0, JOBS, 5, NODES, 1));
        assertThat(gate.isLost(waiting, GAP, T0)).isFalse();

        gate.hold(held(3, T0, JOBS, 4, NODES, 1));

        assertThat(gate.isLost(waiting, GAP, T0)).isTrue();
    }

    @Test
    void shouldNotHoldAnEarlierHeartbeatThatCountsLessAgainstALaterOne() {
        gate.hold(held(1, T0, JOBS, 4));
        Held later = held(2, T0, JOBS, 5);
        gate.hold(later);

        assertThat(gate.isLost(later, GAP, T0)).isFalse();
    }

    @Test
    void shouldNotCompareTheCountsOfDifferentTopics() {
        Held waiting = held(1, T0, JOBS, 5);
        gate.hold(waiting);
        gate.hold(held(2, T0, NODES, 1));

        assertThat(gate.isLost(waiting, GAP, T0)).isFalse();
    }

    @Test
    void shouldBeginAnewWithEveryEpochButForTheOffsets() {
        receive(JOBS, 7);
        gate.forgetMissing(beat(1, JOBS, 9));
        gate.hold(held(1, T0));

        gate.open(50);

        assertThat(gate.epoch()).isEqualTo(50);
        assertThat(gate.heldCount()).isZero();
        assertThat(gate.isRepeated(beat(1))).isFalse();
        assertThat(gate.highestHeartbeat(51)).isEqualTo(101);
        assertThat(gate.isDuplicate(JOBS, 1)).isFalse();
        assertThat(gate.highest(JOBS, 8)).as("counted from where the topic was").isEqualTo(101);
        assertThat(progress()).containsExactly("rm.jobs 0 0..0 0");
    }

    @Test
    void shouldBeTheSameWhenItIsRestored() {
        receive(JOBS, 2);
        receive(JOBS, 6);
        gate.forgetMissing(beat(1, JOBS, 3));
        gate.completed(beat(1));
        Held waiting = held(2, T0, JOBS, 9);
        gate.hold(waiting);

        ConnectorGate restored = new ConnectorGate(gate.toRecord(), List.of(waiting));

        assertThat(restored.toRecord()).isEqualTo(gate.toRecord());
        assertThat(restored.connector()).isEqualTo("sim");
        assertThat(restored.epoch()).isEqualTo(EPOCH);
        assertThat(restored.rmTime()).isEqualTo(T0);
        assertThat(restored.highest(JOBS, 7)).isEqualTo(gate.highest(JOBS, 7));
        assertThat(restored.highestHeartbeat(20)).isEqualTo(gate.highestHeartbeat(20));
        assertThat(restored.missing(beat(2, JOBS, 9))).isEqualTo(gate.missing(beat(2, JOBS, 9)));
    }

    /** The record of a build that kept no offset of heartbeats has -1. */
    @Test
    void shouldCountHeartbeatsFromTheirHelloWhereNoOffsetWasKept() {
        gate.hold(held(1, T0));

        ConnectorGate restored = new ConnectorGate(
                io.weir.scheduler.state.ConnectorIntake.newBuilder(gate.toRecord())
                        .setHeartbeatOffset(-1L)
                        .build(),
                List.of());

        assertThat(restored.highestHeartbeat(EPOCH + 2)).isEqualTo(103);
    }

    private void receive(String topic, long number) {
        gate.receive(topic, new Numbering(number, number), T0);
    }

    private List<String> progress() {
        return gate.toRecord().getTopics().stream()
                .map(topic -> topic.getTopic() + " " + topic.getReceived() + " " + topic.getFirstMissing() + ".."
                        + topic.getLastMissing() + " " + topic.getForgiven())
                .toList();
    }

    /** Counts are a topic and its number in turn. */
    private static Heartbeat beat(long number, Object... counts) {
        List<TopicCount> list = new ArrayList<>();
        for (int i = 0; i < counts.length; i += 2) {
            list.add(new TopicCount((String) counts[i], ((Number) counts[i + 1]).longValue()));
        }
        return Heartbeat.newBuilder()
                .setCluster("alpha")
                .setConnector("sim")
                .setKind(HeartbeatKind.HEARTBEAT)
                .setNumber(number)
                .setRmTime(T0)
                .setCounts(list)
                .build();
    }

    private static Held held(long number, Instant since, Object... counts) {
        Input input = new Input(
                "rm.heartbeats", 0, EPOCH + number, T0.toEpochMilli(), new RecordHeaders(), new byte[] {1}, new byte[] {
                    (byte) number
                });
        return Held.since(since, input, beat(number, counts));
    }
}
