package io.weir.scheduler.core.iteration;

import static io.weir.scheduler.core.SchedulerFixture.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.Notification;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The end of jobs that outlive their wallclock limit. A job of 100 seconds runs since 0. */
@NullUnmarked
class WallclockLimitsTest {
    private final SchedulerFixture weir =
            new SchedulerFixture().nodes(2, 1).submit("j", 1, 100).iterate(0);

    private List<CommandKind> ordered() {
        return weir.lastCommands().stream().map(RmCommand::getKind).toList();
    }

    @Test
    void shouldCancelAgainAMinuteAfterACancelThatFailed() {
        weir.iterate(101).answer("j", CommandOutcome.REFUSED, 102).iterate(160);
        assertThat(ordered()).isEmpty();

        weir.iterate(161);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldLeaveAJobAloneThatIsBeingCancelledAlready() {
        weir.request("r", RequestKind.CANCEL_JOB, "j").iterate(50);
        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);

        weir.iterate(101);

        assertThat(ordered()).isEmpty();
    }

    @Test
    void shouldCancelNothingInModeMonitor() {
        weir.policy("SCHEDCFG[x] MODE=MONITOR").iterate(101);

        assertThat(ordered()).isEmpty();
        assertThat(weir.lastDecisions()).isEmpty();
        assertThat(weir.job("j").getPendingCommand()).isNull();
    }

    @Test
    void shouldTakeTenMinutesForTheOrdinaryCourseOfTime() {
        weir.iterate(600);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldTakeMoreThanTenMinutesForAJumpOfTheClock() {
        weir.iterate(601);

        assertThat(ordered()).isEmpty();
        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .containsExactly("the clock went on by 601 s at once; 1 jobs past their limit are not cancelled before"
                        + " the next complete poll");
    }

    @Test
    void shouldSayNothingOfAJumpOfTheClockWhileNoJobIsOverdue() {
        weir.end("j", 50).iterate(50).iterate(5000);

        assertThat(weir.lastNotifications()).isEmpty();
    }

    @Test
    void shouldWaitForAPollThatBeganBehindTheTimeAFailedCancelIsGiven() {
        weir.policy("NODEPOLLTIMEOUT 0").heartbeat(1, false, EPOCH, 101).iterate(101);
        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
        weir.answer("j", CommandOutcome.REFUSED, 102)
                .heartbeat(2, false, EPOCH, 160)
                .iterate(170);
        assertThat(ordered()).isEmpty();

        weir.heartbeat(3, false, EPOCH, 161).iterate(171);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldNotSpeakOfAJumpOfTheClockForAJobThatEndsThisSecond() {
        SchedulerFixture other =
                new SchedulerFixture().nodes(1, 1).submit("x", 1, 700).iterate(0);

        other.iterate(700);

        assertThat(other.lastNotifications()).isEmpty();
    }

    @Test
    void shouldTakeTheFirstIterationForNoJumpOfTheClock() {
        SchedulerFixture other = new SchedulerFixture().nodes(1, 1).adopt("r", 1, 100, 0, "n1");

        other.iterate(200);

        assertThat(other.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
        assertThat(other.lastNotifications()).isEmpty();
    }

    @Test
    void shouldWaitForAPollBehindTheSecondInWhichTheLimitEnds() {
        weir.policy("NODEPOLLTIMEOUT 0").heartbeat(1, false, EPOCH, 100).iterate(101);
        assertThat(ordered()).isEmpty();

        weir.heartbeat(2, false, EPOCH, 101).iterate(102);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldWaitForAPollOfItsOwnAfterAJumpOfTheClock() {
        weir.policy("NODEPOLLTIMEOUT 0").heartbeat(1, false, EPOCH, 101).iterate(701);
        assertThat(ordered()).isEmpty();
        weir.iterate(702);
        assertThat(ordered()).as("the last poll is the one before the jump").isEmpty();

        weir.heartbeat(2, false, EPOCH, 102).iterate(703);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldRaiseAnEventForAJobBeyondItsLimit() {
        weir.policy("GEVENTCFG[jobwcviolation] ACTION=notify").iterate(50).iterate(101);
        weir.iterate(102);

        assertThat(weir.outputs)
                .extracting(output -> output.value())
                .filteredOn(Notification.class::isInstance)
                .extracting(notice -> ((Notification) notice).getText())
                .anyMatch(text -> text.contains("job j runs beyond its limit"));
    }

    /** Whatever the scheduler fails on in such a job: its nodes would be lost if nobody ended it. */
    @Test
    void shouldCancelAJobThatIsSetAside() {
        weir.fact(new Quarantine(
                SchedulerFixture.CLUSTER,
                QuarantineKind.JOB,
                "j",
                "IllegalArgumentException",
                "no such constant",
                SchedulerFixture.at(50),
                "test",
                false));
        weir.iterate(50);
        assertThat(ordered()).isEmpty();

        weir.iterate(101);

        assertThat(ordered()).containsExactly(CommandKind.CANCEL_JOB);
    }
}
