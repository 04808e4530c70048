package io.weir.scheduler.core;

import static io.weir.scheduler.core.SchedulerFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.schemas.Charge;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A resource manager that ends a job together with its node tells of the two in any order: in one pass or two, in one poll or
 * two. The job is given back once, and only where the node had to do with its end. The scheduler restarts before every input.
 */
@NullUnmarked
class RefundTest {
    private static final String REFUNDS = "AMCFG[am] SERVER=file:///tmp/charge.dat REFUNDPOLICY=SYSTEMFAILURE";
    private static final long END = 1_000;

    private final SchedulerFixture site = new SchedulerFixture().rebuildingAlways();
    private final List<Charge> charges = new ArrayList<>();
    private int polls;

    /** A job on 2 of the processors of n1. */
    private void running(String policy) {
        site.policy(policy).nodes(2, 4);
        iterate(0);
        site.adopt("j", 2, 10_000, 0, "n1");
        poll(0);
    }

    private void iterate(long time) {
        site.iterate(time);
        charges.addAll(site.lastCharges());
    }

    private void poll(long time) {
        site.heartbeat(++polls, polls == 1, SchedulerFixture.EPOCH, time);
        iterate(time);
    }

    private void nodeDown() {
        site.node("n1", 4, NodeState.DOWN);
    }

    private void ends(JobState state, @Nullable String reason) {
        site.fact(reported(state, reason, state == JobState.IDLE ? null : END, 0));
    }

    private JobReport reported(JobState state, @Nullable String reason, @Nullable Long end, long start) {
        boolean runs = state == JobState.RUNNING;
        JobReport report = site.job(
                "j",
                state,
                2,
                1,
                10_000,
                0,
                state == JobState.IDLE ? null : at(start),
                end == null ? null : at(end),
                runs ? List.of(new NodeAllocation("n1", 2)) : List.of(),
                Long.MAX_VALUE);
        return JobReport.newBuilder(report).setReason(reason).build();
    }

    private void assertGivenBack(String firstReason) {
        poll(END + 100);
        poll(END + 200);
        poll(END + 300);
        assertThat(charges).extracting(Charge::getKind).containsExactly("charge", "refund");
        Charge charge = charges.get(0);
        Charge refund = charges.get(1);
        assertThat(charge.getEndReason()).isEqualTo(firstReason);
        assertThat(charge.getProcessorSeconds()).isEqualTo(2 * END);
        assertThat(refund.getEndReason()).isEqualTo("SYSTEM");
        assertThat(refund.getChargeId()).isEqualTo("job.j." + at(0).getEpochSecond() + ".1");
        assertThat(refund.getCorrects()).isEqualTo(charge.getChargeId());
        assertThat(refund.getAmountMillis()).isEqualTo(charge.getAmountMillis());
        assertThat(refund.getProcessorSeconds()).isEqualTo(2 * END);
        assertThat(refund.getNodes()).containsExactly("n1");
        assertThat(refund.getStart()).isEqualTo(at(0));
        assertThat(refund.getEnd()).isEqualTo(at(END));
    }

    private void assertKept() {
        poll(END + 100);
        poll(END + 200);
        poll(END + 300);
        assertThat(charges).extracting(Charge::getKind).containsExactly("charge");
        assertThat(charges.get(0).getEndReason()).isNotEqualTo("SYSTEM");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Feature("CHG-1")
    void shouldGiveBackAJobReportedAsFailedAfterItsNode(boolean iterationBetween) {
        running(REFUNDS);
        nodeDown();
        if (iterationBetween) {
            iterate(END);
        }
        ends(JobState.FAILED, null);
        assertGivenBack("SYSTEM");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Feature("CHG-1")
    void shouldGiveBackAJobReportedAsFailedBeforeItsNode(int between) {
        running(REFUNDS);
        ends(JobState.FAILED, null);
        if (between == 1) {
            iterate(END);
        } else if (between == 2) {
            // The nodes were looked at before the job.
            poll(END);
        }
        nodeDown();
        assertGivenBack("FAILED");
    }

    @Test
    @Feature("CHG-1")
    void shouldGiveBackAJobOfWhichTheResourceManagerSaysThatItsNodeFailed() {
        running(REFUNDS);
        ends(JobState.FAILED, "COMPLETING,NODE_FAIL");
        assertGivenBack("SYSTEM");
    }

    @Test
    @Feature("CHG-1")
    void shouldGiveBackOnceWhatWasSaidTwice() {
        running(REFUNDS);
        ends(JobState.FAILED, "NODE_FAIL");
        nodeDown();
        iterate(END);
        ends(JobState.FAILED, "NODE_FAIL");
        nodeDown();
        assertGivenBack("SYSTEM");
    }

    @Test
    @Feature("CHG-1")
    void shouldGiveBackAllThatWasChargedWhileTheJobRan() {
        running(REFUNDS + " FLUSHINTERVAL=0:05:00");
        iterate(300);
        iterate(600);
        iterate(900);
        ends(JobState.FAILED, null);
        nodeDown();
        poll(END);
        poll(END + 100);
        assertThat(charges)
                .extracting(Charge::getKind)
                .containsExactly("charge", "charge", "charge", "charge", "refund");
        assertThat(charges.get(4).getProcessorSeconds()).isEqualTo(2 * END);
        assertThat(charges.get(4).getAmountMillis())
                .isEqualTo(charges.stream()
                        .limit(4)
                        .mapToLong(Charge::getAmountMillis)
                        .sum());
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheChargeWhenTheNodeStaysUpForAPollMore() {
        running(REFUNDS);
        ends(JobState.FAILED, null);
        poll(END + 10);
        poll(END + 20);
        nodeDown();
        assertKept();
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheChargeWhenAnotherNodeFails() {
        running(REFUNDS);
        ends(JobState.FAILED, "NonZeroExitCode");
        site.node("n2", 4, NodeState.DOWN);
        assertKept();
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheChargeOfAJobThatWasDoneOrCancelled() {
        running(REFUNDS);
        ends(JobState.COMPLETED, null);
        nodeDown();
        assertKept();
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheChargeWhereNothingIsGivenBack() {
        running("AMCFG[am] SERVER=file:///tmp/charge.dat");
        ends(JobState.FAILED, null);
        nodeDown();
        assertKept();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Feature("CHG-1")
    void shouldGiveBackARunThatItsResourceManagerPutBackIntoTheQueueWithItsNode(boolean nodeFirst) {
        running(REFUNDS);
        poll(END - 1);
        if (nodeFirst) {
            nodeDown();
        }
        site.fact(JobReport.newBuilder(reported(JobState.IDLE, null, null, 0))
                .setStartAfter(at(100_000))
                .build());
        if (!nodeFirst) {
            iterate(END - 1);
            nodeDown();
        }
        poll(END);
        poll(END + 100);
        assertThat(charges).extracting(Charge::getKind).containsExactly("charge", "refund");
        assertThat(charges.get(1).getAmountMillis()).isEqualTo(charges.get(0).getAmountMillis());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Feature("CHG-1")
    void shouldGiveBackARunWhoseNodeIsKnownToBeDownOnlyWhenTheJobRunsAnew(boolean down) {
        running(REFUNDS);
        poll(END - 1);
        site.fact(JobReport.newBuilder(reported(JobState.IDLE, null, null, 0))
                .setHosts(List.of("n2"))
                .build());
        // The nodes were looked at before the job: as far as this poll knows all of them are up.
        poll(END);
        assertThat(site.job("j").getStartTime()).as("runs on n2").isEqualTo(at(END));
        if (down) {
            nodeDown();
        }
        poll(END);
        poll(END + 100);
        poll(END + 200);
        assertThat(charges)
                .extracting(Charge::getKind)
                .isEqualTo(down ? List.of("charge", "refund") : List.of("charge"));
        assertThat(charges)
                .extracting(Charge::getChargeId)
                .allMatch(id -> id.startsWith("job.j." + at(0).getEpochSecond() + "."));
        assertThat(site.snapshot())
                .as("nothing is kept of a run that is settled")
                .noneMatch(change -> change.id().startsWith("past:"));
    }

    @Test
    @Feature("CHG-1")
    void shouldKeepTheChargeOfARunThatWasPutBackIntoTheQueueWithoutAFailure() {
        running(REFUNDS);
        poll(END);
        site.fact(JobReport.newBuilder(reported(JobState.IDLE, null, null, 0))
                .setStartAfter(at(100_000))
                .build());
        assertKept();
    }

    @Test
    @Feature("CHG-1")
    void shouldGoOnWithTheChargesOfAJobThatFailedOnlyByMistake() {
        running(REFUNDS);
        ends(JobState.FAILED, null);
        iterate(END + 10);
        site.fact(reported(JobState.RUNNING, null, null, 0));
        iterate(END + 20);
        nodeDown();
        iterate(END + 30);
        assertThat(charges).as("it runs").extracting(Charge::getKind).containsExactly("charge");
    }
}
