package io.weir.scheduler.core.iteration;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.SchedulerFixture;
import io.weir.scheduler.state.LimitViolation;
import io.weir.schemas.CommandKind;
import io.weir.schemas.CommandOutcome;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeState;
import io.weir.schemas.Notification;
import io.weir.schemas.RequestKind;
import io.weir.schemas.RmCommand;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waiting jobs that ask for more than their class allows, and running jobs that use more than they asked for. */
@NullUnmarked
class JobLimitsTest {
    private static final long HOUR = 3600;

    private final SchedulerFixture weir =
            new SchedulerFixture().node("n1", 4, NodeState.IDLE, node -> node.setMemoryMb(4000));

    /** Starts job j, which may use ten seconds of a processor and 200 MB, and reports that it used {@code cpuSeconds}. */
    private void runs(String policy, long cpuSeconds) {
        weir.policy(policy)
                .submit("j", 2, HOUR, job -> job.setExtension("cput=10,mem=100"))
                .iterate(0);
        uses(JobState.RUNNING, cpuSeconds, 0);
    }

    private void uses(JobState state, long cpuSeconds, long memoryMb) {
        JobStatus known = weir.job("j");
        weir.fact(JobReport.newBuilder()
                .setCluster(SchedulerFixture.CLUSTER)
                .setJobId("j")
                .setQueueSequence(known.getQueueSequence())
                .setUser(known.getUser())
                .setState(state)
                .setTasks(known.getTasks())
                .setWalltimeSeconds(known.getWalltimeSeconds())
                .setSubmitTime(known.getSubmitTime())
                .setStartTime(known.getStartTime())
                .setAllocation(known.getAllocation())
                .setExtension(known.getExtension())
                .setUsedCpuSeconds(cpuSeconds)
                .setUsedMemoryMb(memoryMb)
                .setAsOfCommand(Long.MAX_VALUE)
                .build());
    }

    private void expectOrder(CommandKind command, DecisionKind decision) {
        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(command);
        assertThat(weir.lastCommands().get(0).getReason()).isEqualTo("11 processor seconds used, limit 10");
        assertThat(weir.lastDecisions()).anyMatch(taken -> taken.getKind() == decision);
    }

    @Test
    void shouldCancelAJobThatUsesTooMuch() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 11);
        weir.iterate(1);

        expectOrder(CommandKind.CANCEL_JOB, DecisionKind.CANCEL);
    }

    @Test
    void shouldPutAJobThatUsesTooMuchBackIntoTheQueue() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:REQUEUE", 11);
        weir.iterate(1);

        expectOrder(CommandKind.REQUEUE_JOB, DecisionKind.REQUEUE);
    }

    @Test
    void shouldSuspendAJobThatUsesTooMuch() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:SUSPEND", 11);
        weir.iterate(1);

        expectOrder(CommandKind.SUSPEND_JOB, DecisionKind.SUSPEND);
    }

    @Test
    void shouldLetAJobUseAllItAskedFor() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 10);
        weir.iterate(1);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.domain().getViolations()).isEmpty();
    }

    @Test
    void shouldCountTheMemoryOfAllTasks() {
        runs("RESOURCELIMITPOLICY MEM:ALWAYS:NOTIFY", 0);
        uses(JobState.RUNNING, 0, 200);
        weir.iterate(1);
        assertThat(weir.lastNotifications()).isEmpty();

        uses(JobState.RUNNING, 0, 201);
        weir.iterate(2);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .containsExactly("job j uses 201 MB of memory used, limit 200");
    }

    @Test
    void shouldTellOfAJobThatRunsBeyondItsWallclockLimit() {
        weir.policy("RESOURCELIMITPOLICY WALLTIME:ALWAYS:NOTIFY")
                .submit("j", 1, 100)
                .iterate(0)
                .iterate(100);
        assertThat(weir.lastNotifications()).isEmpty();

        weir.iterate(101);

        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .contains("job j uses 101 seconds used, limit 100");
    }

    @Test
    void shouldLeaveASuspendedJobAlone() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 0);
        uses(JobState.SUSPENDED, 11, 0);
        weir.iterate(1);

        assertThat(weir.lastCommands()).isEmpty();
    }

    @Test
    void shouldOrderNothingInModeMonitor() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 11);
        weir.policy("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL\nSCHEDCFG[x] MODE=MONITOR")
                .iterate(1);
        assertThat(weir.lastDecisions()).isEmpty();

        weir.policy("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL").iterate(2);

        expectOrder(CommandKind.CANCEL_JOB, DecisionKind.CANCEL);
    }

    @Test
    void shouldNotOrderWhatAnOperatorOrderedAlready() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:REQUEUE", 11);
        weir.request("r", RequestKind.CANCEL_JOB, "j").iterate(1);

        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(CommandKind.CANCEL_JOB);
    }

    @Test
    void shouldOrderAgainAMinuteAfterAnOrderThatFailed() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 11);
        weir.iterate(10).answer("j", CommandOutcome.REFUSED, 11).iterate(11);
        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.iterate(69).lastCommands()).isEmpty();

        weir.iterate(70);

        expectOrder(CommandKind.CANCEL_JOB, DecisionKind.CANCEL);
    }

    @Test
    void shouldActOnceAViolationHasLastedItsTimeOfGrace() {
        runs("RESOURCELIMITPOLICY CPUTIME:EXTENDEDVIOLATION:NOTIFY:60", 11);
        weir.iterate(10).iterate(69);
        assertThat(weir.lastNotifications()).isEmpty();
        assertThat(weir.domain().getViolations())
                .extracting(LimitViolation::getSince, LimitViolation::getActed)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(SchedulerFixture.T0 + 10, false));

        weir.iterate(70);
        assertThat(weir.lastNotifications()).extracting(Notification::getEvent).containsExactly("joblimit");

        weir.iterate(71);
        assertThat(weir.lastNotifications()).isEmpty();
    }

    @Test
    void shouldBeginAnewWithAViolationThatWasOverMeanwhile() {
        runs("RESOURCELIMITPOLICY MEM:EXTENDEDVIOLATION:NOTIFY:60", 0);
        uses(JobState.RUNNING, 0, 201);
        weir.iterate(10);
        uses(JobState.RUNNING, 0, 200);
        weir.iterate(20);
        assertThat(weir.domain().getViolations()).isEmpty();

        uses(JobState.RUNNING, 0, 201);
        weir.iterate(70);

        assertThat(weir.lastNotifications()).isEmpty();
        assertThat(weir.domain().getViolations())
                .extracting(LimitViolation::getSince)
                .containsExactly(SchedulerFixture.T0 + 70);
    }

    @Test
    void shouldRememberThatItActedAndNotWhereItDidNot() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 11);
        weir.policy("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL\nSCHEDCFG[x] MODE=MONITOR")
                .iterate(1);
        assertThat(weir.domain().getViolations())
                .extracting(LimitViolation::getActed)
                .containsExactly(false);

        weir.policy("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL").iterate(2);

        assertThat(weir.domain().getViolations())
                .extracting(LimitViolation::getActed)
                .containsExactly(true);
    }

    @Test
    void shouldRememberThatItActedThoughItCannotAgain() {
        runs("RESOURCELIMITPOLICY CPUTIME:ALWAYS:CANCEL", 11);
        weir.iterate(10);

        weir.iterate(11);

        assertThat(weir.lastCommands()).isEmpty();
        assertThat(weir.domain().getViolations())
                .extracting(LimitViolation::getActed)
                .containsExactly(true);
    }

    @ParameterizedTest
    @CsvSource({"CANCEL, CANCEL_JOB", "SUSPEND, SUSPEND_JOB", "REQUEUE, REQUEUE_JOB"})
    void shouldLetAJobRunBeyondItsWallclockLimitForTheTimeOfThePolicy(String action, CommandKind command) {
        weir.policy("RESOURCELIMITPOLICY WALLTIME:EXTENDEDVIOLATION:" + action + ":60")
                .submit("j", 1, 100)
                .iterate(0);
        for (long time : new long[] {100, 101, 130, 160}) {
            weir.iterate(time);
            assertThat(weir.lastCommands()).as("at %d", time).isEmpty();
        }

        weir.iterate(161);

        assertThat(weir.lastCommands()).extracting(RmCommand::getKind).containsExactly(command);
    }

    @Test
    void shouldOnlyTellOfAJobThatRunsBeyondItsWallclockLimitWhereThePolicySaysSo() {
        weir.policy("RESOURCELIMITPOLICY WALLTIME:ALWAYS:NOTIFY")
                .submit("j", 1, 100)
                .iterate(0);
        for (long time = 100; time < 300; time += 20) {
            weir.iterate(time);
            assertThat(weir.lastCommands()).as("at %d", time).isEmpty();
        }
    }

    /** Of more than ten thousand at a time the others are followed once there is room. */
    @Test
    void shouldFollowTenThousandViolationsAtATime() {
        int jobs = 10_002;
        SchedulerFixture many = new SchedulerFixture()
                .node("n1", jobs, NodeState.IDLE)
                .policy("RESOURCELIMITPOLICY WALLTIME:EXTENDEDVIOLATION:NOTIFY:10000");
        for (int job = 1; job <= jobs; job++) {
            many.adopt("j" + job, 1, 100, 0, "n1");
        }
        many.iterateSilently(0).iterateSilently(101);
        assertThat(many.domain().getViolations()).hasSize(10_000);
        many.end("j1", 101).iterateSilently(102);

        assertThat(many.domain().getViolations()).hasSize(10_000);
        assertThat(many.domain().getViolations())
                .extracting(LimitViolation::getSince)
                .contains(SchedulerFixture.T0 + 101, SchedulerFixture.T0 + 102);
    }

    @Test
    void shouldForgetViolationsWhenNoLimitIsEnforcedAnyMore() {
        runs("RESOURCELIMITPOLICY CPUTIME:EXTENDEDVIOLATION:NOTIFY:60", 11);
        weir.iterate(10);

        weir.policy("").iterate(20);

        assertThat(weir.domain().getViolations()).isEmpty();
    }

    @Test
    void shouldHoldJobsThatWaitWhenAPolicyAllowsLess() {
        weir.submit("running", 4, HOUR)
                .submit("waiting", 2, HOUR, job -> job.setJobClass("c"))
                .iterate(0)
                .iterate(1);

        weir.policy("CLASSCFG[c] MAX.PROC=1").iterate(2);

        assertThat(weir.job("waiting").getHolds()).containsExactly("BATCH");
        assertThat(weir.lastDecisions())
                .filteredOn(taken -> taken.getKind() == DecisionKind.HOLD)
                .extracting(taken -> taken.getJobId())
                .containsExactly("waiting");
        assertThat(weir.lastNotifications())
                .extracting(Notification::getText)
                .contains("job waiting held: 2 processors are more than the 1 of a job of class c");
    }

    @Test
    void shouldLeaveRunningJobsAloneWhenAPolicyAllowsLess() {
        weir.submit("running", 4, HOUR, job -> job.setJobClass("c")).iterate(0);

        weir.policy("CLASSCFG[c] MAX.PROC=1").iterate(1);

        assertThat(weir.job("running").getHolds()).isEmpty();
    }
}
