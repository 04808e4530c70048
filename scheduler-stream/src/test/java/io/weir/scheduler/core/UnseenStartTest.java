package io.weir.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RmCommand;
import org.junit.jupiter.api.Test;

/** Starts that a resource manager accepts, and that its reports never show. */
class UnseenStartTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir = new SchedulerFixture();

    private long polls;

    /** Accepts the start that was ordered last, and has a poll report the job as waiting after that. */
    private void acceptAndForget(long time) {
        reportAsWaiting(time);
        polls++;
        weir.heartbeat(polls, false, SchedulerFixture.EPOCH, time);
    }

    private void reportAsWaiting(long time) {
        RmCommand start = start();
        weir.answer("j", CommandOutcome.DONE, time);
        weir.report("j", JobState.IDLE, start.getNumber());
    }

    private RmCommand start() {
        return weir.lastCommands().stream()
                .filter(command -> command.getKind() == CommandKind.START_JOB)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldCountAStartThatWasNeverSeenAsAFailedOne() {
        weir.policy("JOBRETRYTIME 60\nDEFERSTARTCOUNT 1\nDEFERTIME 1:00:00")
                .nodes(1, 1)
                .submit("j", 1, HOUR)
                .iterateSilently(0);
        acceptAndForget(1);

        assertThat(weir.job("j")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.IDLE);
            assertThat(job.getStartFailures()).isEqualTo(1);
            assertThat(job.getStarts()).isZero();
            assertThat(job.getReason()).isEqualTo("start accepted, but its resource manager lists it as waiting");
        });
        weir.iterateSilently(59);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).contains("jobstartfail");
        assertThat(weir.started()).isEmpty();

        weir.iterateSilently(62);
        assertThat(weir.started()).containsExactly("j");
        acceptAndForget(63);
        assertThat(weir.job("j").getStartFailures()).as("the first counts, too").isEqualTo(2);
        weir.iterateSilently(64 + HOUR - 10);
        assertThat(weir.started()).as("deferred").isEmpty();
        assertThat(weir.job("j").getDeferrals()).isEqualTo(1);
    }

    /** What was seen to run and waits again was put back into the queue. */
    @Test
    void shouldNotCountAStartThatWasSeen() {
        weir.policy("JOBRETRYTIME 60").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        RmCommand start = start();
        weir.answer("j", CommandOutcome.DONE, 1);
        weir.runsOn("j", start.getNumber(), start.getAllocation().toArray(NodeAllocation[]::new));
        weir.report("j", JobState.IDLE, start.getNumber());

        assertThat(weir.job("j")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.IDLE);
            assertThat(job.getStartFailures()).isZero();
            assertThat(job.getStarts()).isEqualTo(1);
            assertThat(job.getNotBefore()).isNull();
        });
    }

    /** It ran between two polls and was put back into the queue, which gives it another submission time. */
    @Test
    void shouldNotCountAStartAfterWhichTheJobWasRequeuedBeforeItWasSeen() {
        weir.policy("JOBRETRYTIME 60").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        RmCommand start = start();
        weir.answer("j", CommandOutcome.DONE, 1);
        weir.reportRequeued("j", 1, start.getNumber() - 1);
        assertThat(weir.job("j").getState()).as("looked at before").isEqualTo(JobState.RUNNING);
        weir.reportRequeued("j", 1, start.getNumber());

        assertThat(weir.job("j")).satisfies(job -> {
            assertThat(job.getState()).isEqualTo(JobState.IDLE);
            assertThat(job.getStartFailures()).isZero();
            assertThat(job.getStarts()).isEqualTo(1);
            assertThat(job.getNotBefore()).isNull();
        });
    }

    @Test
    void shouldCountAStartThatWasNeverSeenOfAJobRequeuedBeforeIt() {
        weir.policy("JOBRETRYTIME 60").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        RmCommand start = start();
        weir.answer("j", CommandOutcome.DONE, 5);
        weir.reportRequeued("j", 4, start.getNumber());

        assertThat(weir.job("j").getStartFailures()).isEqualTo(1);
        assertThat(weir.job("j").getStarts()).isZero();
    }

    /** A node that the same poll shows to have failed is the cause, whenever in it that is heard of. */
    @Test
    void shouldTakeANodeThatFailedForTheCause() {
        weir.nodes(2, 1).submit("j", 2, HOUR).iterateSilently(0);
        reportAsWaiting(1);
        weir.node("n2", 1, NodeState.DOWN).heartbeat(1, false, SchedulerFixture.EPOCH, 2);

        weir.iterateSilently(2);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldNotHoldAReportAgainstAJobThatIsOlderThanItsStart() {
        weir.nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        RmCommand start = start();
        weir.answer("j", CommandOutcome.DONE, 1);
        weir.report("j", JobState.IDLE, start.getNumber() - 1);

        assertThat(weir.job("j").getState()).isEqualTo(JobState.RUNNING);
        assertThat(weir.job("j").getStartFailures()).isZero();
    }

    /** Where refused starts are tried again on the same nodes, so are these, and as long. */
    @Test
    void shouldKeepTheNodesForAnotherAttemptWhereTheSiteSaysSo() {
        weir.policy("RESERVATIONRETRYTIME 120").nodes(1, 1).submit("j", 1, HOUR).iterateSilently(0);
        acceptAndForget(0);
        weir.submit("small", 1, 10).iterateSilently(10);
        assertThat(weir.started()).isEmpty();

        weir.iterateSilently(30);
        assertThat(weir.started()).containsExactly("j");
        acceptAndForget(31);
        assertThat(weir.job("j").getRefusedSince()).isEqualTo(SchedulerFixture.at(0));
    }
}
