package io.weir.scheduler.core.iteration;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeState;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** When an iteration wants the next one in case nothing happens before. */
@NullUnmarked
class NextWakeTest {
    private final SchedulerFixture weir = new SchedulerFixture().nodes(2, 1);

    private Instant wake() {
        return weir.lastResult.nextWake();
    }

    private void control(String action, String name, String value) {
        weir.request(
                "c" + action,
                RequestKind.CONTROL_SCHEDULER,
                "-",
                List.of(new NameValue("action", action), new NameValue(name, value)));
    }

    @Test
    void shouldSleepWhileNothingIsDue() {
        weir.iterate(0);

        assertThat(wake()).isNull();
    }

    @Test
    void shouldWakeWhenTheFirstLimitOfARunningJobHasPassed() {
        weir.submit("long", 1, 300).submit("short", 1, 200).iterate(0);
        assertThat(wake()).isEqualTo(at(201));

        weir.iterate(200);

        assertThat(wake()).as("at the limit itself the job may still end").isEqualTo(at(201));
    }

    @Test
    void shouldWakeToCancelAnOverdueJobAgain() {
        weir.submit("overdue", 1, 100).iterate(0).iterate(101);
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
        assertThat(wake()).isEqualTo(at(161));

        weir.iterate(161);

        assertThat(wake()).as("nobody answered, and nothing else is due").isNull();
    }

    @Test
    void shouldWakeAtOnceUntilEveryJobIsPlanned() {
        weir.policy("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 2");
        weir.submit("runs", 1, 300)
                .submit("first", 2, 50)
                .submit("second", 2, 50)
                .submit("third", 2, 50);

        weir.iterate(0);
        assertThat(wake()).isEqualTo(at(0).plusMillis(1));
        assertThat(weir.isPlanUnfinished()).isTrue();
        assertThat(weir.publishedReservations).containsOnlyKeys("first", "second");

        weir.iterate(0);
        assertThat(wake()).isEqualTo(at(300));
        assertThat(weir.isPlanUnfinished()).isFalse();
        assertThat(weir.publishedReservations).containsOnlyKeys("first", "second", "third");
    }

    /** What keeps a plan from outlasting its pass must not keep the pass from coming to its end. */
    @Test
    void shouldComeToTheEndOfAPlanInWhichAJobThatFitsMayNotStartYet() {
        weir.policy("RESERVATIONSLICE 5\nQOSCFG[strict] QFLAGS=NOBF").node("down", 8, NodeState.DOWN);
        weir.submit("first", 3, 50).submit("strict", 1, 50, job -> job.setQos("strict"));
        for (int i = 0; i < 20; i++) {
            weir.submit("wide" + i, 3, 50);
        }
        finishPlan(0);
        weir.submit("tail", 1, 10);
        finishPlan(60);

        assertThat(weir.job("tail").getState()).isEqualTo(JobState.RUNNING);
    }

    private void finishPlan(long now) {
        int iterations = 0;
        do {
            weir.iterate(now);
            iterations++;
        } while (weir.isPlanUnfinished() && iterations < 100);
        assertThat(iterations).as("iterations at one instant").isLessThan(100);
    }

    @Test
    void shouldNotHurryToFinishAPlanWhileSchedulingIsPaused() {
        weir.policy("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        weir.submit("runs", 1, 300)
                .submit("first", 2, 50)
                .submit("second", 2, 50)
                .iterate(0);

        control("pause", "reason", "repair");
        weir.iterate(1);

        assertThat(wake()).isEqualTo(at(300));
    }

    @Test
    void shouldWakeForTheLimitsBehindAnOverdueJob() {
        weir.submit("overdue", 1, 100).submit("other", 1, 130).iterate(0);

        weir.iterate(101);

        assertThat(wake()).isEqualTo(at(131));
    }

    @Test
    void shouldWakeAtTheStartOfAReservedSlot() {
        weir.submit("first", 2, 100).submit("next", 2, 50).iterate(0);

        assertThat(wake()).isEqualTo(at(100));
    }

    @Test
    void shouldNotWakeForASlotThatBegins() {
        weir.submit("first", 2, 100).submit("next", 2, 50).iterate(0);
        control("pause", "text", "");

        weir.iterate(100);

        assertThat(weir.reservedStart("next")).isEqualTo(100);
        assertThat(wake()).isEqualTo(at(101));
    }

    @Test
    void shouldWakeWhenAJobMayStart() {
        weir.submit("later", 1, 100, job -> job.setStartAfter(at(500))).iterate(0);

        assertThat(wake()).isEqualTo(at(500));
    }

    @Test
    void shouldWakeWhenSchedulingResumes() {
        control("pause", "text", "");
        weir.iterate(0);
        control("resume", "at", "+0:05:00");
        weir.iterate(1);

        assertThat(wake()).isEqualTo(at(301));
    }

    @Test
    void shouldWakeWhenRoomIsKeptForWideJobsNoLonger() {
        weir.policy("BFCHUNKDURATION 0:05:00\nBFCHUNKSIZE 2\nRESERVATIONDEPTH 0")
                .submit("ending", 1, 1000)
                .iterate(0);
        weir.iterate(400).end("ending", 500).iterate(500);
        assertThat(wake()).isEqualTo(at(800));

        weir.iterate(800);

        assertThat(wake()).isNull();
    }

    @Test
    void shouldWakeAtBothEndsOfAnAdministrativeReservation() {
        weir.request(
                        "r",
                        RequestKind.CREATE_RESERVATION,
                        "-",
                        List.of(new NameValue("h", "n1"), new NameValue("s", "+100"), new NameValue("d", "300")))
                .iterate(0);
        assertThat(wake()).isEqualTo(at(100));

        weir.iterate(100);

        assertThat(wake()).isEqualTo(at(400));
    }

    /** This process has planned nothing since it began: the slot stands since before. */
    @Test
    void shouldWakeForASlotThatStandsWhilePaused() {
        weir.submit("first", 2, 100).submit("next", 2, 50).iterate(0);
        control("pause", "text", "");

        weir.rebuildingAlways().iterate(10);

        assertThat(wake()).isEqualTo(at(100));
    }
}
