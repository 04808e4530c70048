package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.CommandKind;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Iteration;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RmCommand;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private final StreamHarness harness = StreamHarness.wall();
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
    void shouldIterateForAnUrgentFactAfterCoalescing() {
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(2));
        assertThat(harness.iterations()).hasSize(1);
        harness.deliver(connector.job(2, 1));
        harness.advance(Duration.ofMillis(2));

        assertThat(harness.iterations()).hasSize(2);
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.EVENT);
        assertThat(last().getAnswers()).isNull();
        assertThat(last().getNow()).isEqualTo(harness.now());
        harness.advance(Duration.ofSeconds(1));
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    void shouldSayThatItsTimeStandsUntilAClockThatWasAheadHasCaughtUp() {
        assertThat(harness.standingTime()).isEmpty();

        harness.advance(Duration.ofHours(-1));
        connector.at(harness.now());
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);
        assertThat(harness.standingTime())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains("the time of cluster 'alpha' stands at ", ", 3600 s ahead of the clocks"));

        harness.advance(Duration.ofHours(1));
        connector.at(harness.now());
        harness.deliver(connector.heartbeat());
        assertThat(harness.standingTime()).isEmpty();
    }

    @Test
    void shouldTakeInWhatWaitsBeforeTheNextIteration() {
        ConsumerRecord<byte[], byte[]> waiting = backlogAfterIterationOf(Duration.ofMillis(10));
        harness.deliver(connector.job(2, 1));
        harness.spend(Duration.ofMillis(29));
        harness.advance(Duration.ofMillis(10));
        assertThat(harness.iterations()).hasSize(2);

        harness.deliver(waiting);
        harness.advance(Duration.ofMillis(1));
        assertThat(harness.iterations()).hasSize(3);
    }

    @Test
    void shouldIterateAgainWhenIntakeHadItsShareOfTheTime() {
        backlogAfterIterationOf(Duration.ofMillis(10));
        harness.deliver(connector.job(2, 1));
        harness.spend(Duration.ofMillis(30));
        harness.advance(Duration.ofMillis(4));

        assertThat(harness.iterations()).hasSize(3);
    }

    @Test
    void shouldLetAHeartbeatShareTheNextIterationWhileInputsWait() {
        ConsumerRecord<byte[], byte[]> waiting = backlogAfterIterationOf(Duration.ofMillis(10));
        harness.deliver(connector.job(2, 1));
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);

        harness.deliver(waiting);
        harness.advance(Duration.ofMillis(4));
        assertThat(harness.iterations()).hasSize(3);
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.EVENT);
        assertThat(last().getAnswers()).isNull();
    }

    /** Nothing but the heartbeat asks for an iteration. */
    @Test
    void shouldAnswerAHeartbeatLaterThatCameWhileInputsWaited() {
        backlogAfterIterationOf(Duration.ofMillis(10));
        harness.deliver(connector.heartbeat());
        assertThat(harness.iterations()).hasSize(2);

        harness.spend(Duration.ofMillis(30));
        harness.advance(Duration.ofMillis(4));

        assertThat(harness.iterations()).hasSize(3);
    }

    @Test
    void shouldShowForHowLongInputsHaveWaited() {
        ConsumerRecord<byte[], byte[]> waiting = backlogAfterIterationOf(Duration.ofMillis(10));
        harness.spend(Duration.ofSeconds(5));
        assertThat(secondsWaited()).isGreaterThanOrEqualTo(5);
        harness.deliver(waiting);
        harness.advance(Duration.ofMillis(4));

        assertThat(secondsWaited()).isZero();
    }

    private double secondsWaited() {
        return harness.meters.get("weir.inputs.waiting.seconds").gauge().value();
    }

    /** Has one iteration that took so long with its commit, and returns an input that has been waiting since. */
    private ConsumerRecord<byte[], byte[]> backlogAfterIterationOf(Duration cost) {
        harness.deliver(connector.job(1, 1));
        ConsumerRecord<byte[], byte[]> waiting = harness.write(
                Topics.MONITORING_EVENTS,
                "alpha/n1",
                GenericEvent.newBuilder()
                        .setCluster("alpha")
                        .setName("fan")
                        .setObjectType("node")
                        .setObjectId("n1")
                        .setTime(harness.now())
                        .build(),
                new RecordHeaders());
        harness.read(waiting);
        harness.advance(Duration.ofMillis(4));
        assertThat(harness.iterations()).hasSize(2);
        harness.spend(cost);
        harness.advance(Duration.ofMillis(4));
        return waiting;
    }

    @Test
    void shouldTickOnWhenTheClockIsSetBack() {
        harness.advance(Duration.ofHours(-1));
        harness.advance(Duration.ofSeconds(1));
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(4));

        assertThat(harness.iterations()).hasSize(2);
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.EVENT);
    }

    @Test
    void shouldNotIterateForANodeThatIsMerelyWell() {
        harness.deliver(connector.node("n2", 4));
        harness.advance(Duration.ofMillis(10));
        assertThat(harness.iterations()).hasSize(1);

        harness.deliver(connector.node("n1", 4, NodeState.DOWN));
        harness.advance(Duration.ofMillis(10));
        assertThat(harness.iterations()).hasSize(2);
    }

    @Test
    @Feature("FAIL-19")
    void shouldAnswerTheFailureOfANodeWithoutWaitingForTheNextPoll() {
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(4));
        RmCommand start = harness.read(Topics.COMMANDS).get(0);
        harness.deliver(connector.done(start));
        harness.advance(Duration.ofMillis(4));
        int heartbeats = harness.read(Topics.RM_HEARTBEATS).size();

        harness.deliver(connector.node("n1", 4, NodeState.DOWN));
        harness.advance(Duration.ofMillis(4));

        assertThat(harness.read(Topics.COMMANDS))
                .last()
                .extracting(RmCommand::getKind, RmCommand::getJobId)
                .containsExactly(CommandKind.CANCEL_JOB, start.getJobId());
        assertThat(last().getTrigger()).isEqualTo(IterationTrigger.EVENT);
        assertThat(harness.read(Topics.RM_HEARTBEATS)).hasSize(heartbeats);
    }

    @Test
    void shouldIterateForFactsThatARestartFoundWithoutTheirIteration() {
        harness.deliver(connector.job(1, 1));
        harness.start();
        harness.advance(Duration.ofMillis(10));

        assertThat(harness.iterations()).hasSize(2);
    }

    /** Heartbeats of the time in which no scheduler ran may still wait when it begins to run, or there were none for that. */
    @Test
    void shouldNotTakeItsOwnAbsenceForTheSilenceOfAResourceManager() {
        harness.startAfter(Duration.ofMinutes(10));
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(10));
        assertThat(last().getNow()).isEqualTo(connector.rmTime().plus(Duration.ofMinutes(5)));
        assertThat(last().getListened()).isFalse();
        harness.advance(Duration.ofMinutes(4));
        assertThat(events()).doesNotContain("rmdown", "nodedown");

        connector.at(harness.now().minusMillis(5));
        harness.deliver(connector.heartbeat());
        harness.advance(Duration.ofMinutes(2));
        assertThat(events()).doesNotContain("rmdown", "nodedown", "rmup");

        harness.advance(Duration.ofMinutes(3));
        assertThat(events()).contains("rmdown", "nodedown");
        assertThat(last().getListened()).isTrue();
    }

    @Test
    void shouldTakeSilenceForOneOnceItHasListenedForLongEnough() {
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(10));
        harness.startAfter(Duration.ofMinutes(10));
        harness.advance(Duration.ofMinutes(4));
        assertThat(events()).doesNotContain("rmdown", "nodedown");
        int before = harness.iterations().size();

        harness.advance(Duration.ofMinutes(1));
        assertThat(events()).contains("rmdown", "nodedown");
        assertThat(harness.iterations()).hasSize(before + 1);
        harness.advance(Duration.ofMinutes(9));
        harness.startAfter(Duration.ofMinutes(10));
        harness.advance(Duration.ofMinutes(9));
        assertThat(events()).containsOnlyOnce("rmdown");
    }

    /** What was just heard of is not silent, whatever the clocks say. */
    @Test
    void shouldNotTakeAClockThatIsBehindForTheSilenceOfAResourceManager() {
        pollForTenMinutes(Duration.ofHours(-1));
        assertThat(events()).doesNotContain("rmdown", "nodedown");

        harness.advance(Duration.ofMinutes(5));
        assertThat(events()).containsOnlyOnce("rmdown");
    }

    @Test
    void shouldNotTakeATimeThatStandsForTheSilenceOfAResourceManager() {
        harness.advance(Duration.ofHours(-1));
        pollForTenMinutes(Duration.ZERO);
        assertThat(harness.standingTime()).isPresent();
        assertThat(events()).doesNotContain("rmdown", "nodedown");

        harness.advance(Duration.ofMinutes(5));
        assertThat(events()).containsOnlyOnce("rmdown");
    }

    /** The resource manager's clock is so far ahead of the scheduler's. */
    private void pollForTenMinutes(Duration ahead) {
        for (int poll = 0; poll < 60; poll++) {
            harness.advance(Duration.ofSeconds(10));
            connector.at(harness.now().plus(ahead));
            harness.deliver(connector.heartbeat());
        }
    }

    private List<String> events() {
        return harness.read(Topics.NOTIFICATIONS).stream()
                .map(Notification::getEvent)
                .toList();
    }

    @Test
    void shouldNotRunFurtherAheadOfTheLastHeartbeatThanAllowed() {
        Instant heard = connector.rmTime();
        harness.advance(Duration.ofHours(2));
        harness.deliver(connector.job(1, 1));
        harness.advance(Duration.ofMillis(10));

        assertThat(last().getNow()).isEqualTo(heard.plus(Duration.ofMinutes(5)));
    }

    @Test
    void shouldNeverGoBack() {
        Instant before = last().getNow();
        connector.at(connector.rmTime().minus(Duration.ofHours(3)));
        harness.deliver(connector.heartbeat());

        assertThat(last().getNow()).isAfterOrEqualTo(before);
    }

    @Test
    void shouldEndNoJobThatOnlySeemsOverdueBecauseTheClockRanAhead() {
        harness.deliver(connector.fact(
                Topics.RM_JOBS,
                "j1",
                connector
                        .jobReport(1, 1)
                        .setState(JobState.RUNNING)
                        .setStartTime(connector.rmTime())
                        .setWalltimeSeconds(60L)
                        .setAllocation(List.of(new NodeAllocation("n1", 1)))
                        .build()));
        harness.deliver(connector.heartbeat());
        connector.at(connector.rmTime().plusSeconds(10));
        harness.deliver(connector.heartbeat());

        harness.advance(Duration.ofHours(2));
        harness.deliver(connector.job(2, 1));
        harness.advance(Duration.ofMillis(10));
        assertThat(last().getNow()).isEqualTo(connector.rmTime().plus(Duration.ofMinutes(5)));
        harness.advance(Duration.ofMinutes(2));
        harness.deliver(connector.job(3, 1));
        harness.advance(Duration.ofMillis(10));
        assertThat(harness.read(Topics.COMMANDS)).extracting(RmCommand::getKind).doesNotContain(CommandKind.CANCEL_JOB);

        connector.at(connector.rmTime().plusSeconds(120));
        harness.deliver(connector.heartbeat());
        assertThat(harness.read(Topics.COMMANDS)).extracting(RmCommand::getKind).contains(CommandKind.CANCEL_JOB);
    }

    private Iteration last() {
        return harness.iterations().get(harness.iterations().size() - 1);
    }
}
