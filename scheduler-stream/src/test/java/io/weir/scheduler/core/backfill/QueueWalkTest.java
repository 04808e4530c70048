package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.plan.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** At which jobs a walk stops and what it does with them: two processors, one of them busy until 100. */
class QueueWalkTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1).running("r", 1, "n1", 0, 100);

    /** A pass of FIRSTFIT at instant 0, and the walk over it. */
    private final class Walked {
        final PassFixture fixture;
        final PlanningPass pass;

        Walked(boolean freed, boolean weighs, String... policy) {
            fixture = new PassFixture(cluster, policy);
            pass = fixture.begin(
                    new FirstFitBackfill(),
                    new PlanningPass.Moment(
                            0,
                            null,
                            freed,
                            Long.MIN_VALUE,
                            Integer.MAX_VALUE,
                            Integer.MAX_VALUE,
                            fixture.starts,
                            fixture.rooms,
                            fixture.actions),
                    weighs);
        }

        Walked(String... policy) {
            this(false, false, policy);
        }

        /** Remembers of the job at {@code position} that it does not fit. */
        void fillColumns(int position) {
            fixture.plan.fillColumns(
                    cluster.jobs.queue().get(position),
                    cluster.jobs.queue().columns(),
                    cluster.jobs.queue().row(position));
        }

        /** Holds a slot of the job that asks for {@code procs} for 50 seconds from {@code start} on. */
        void hold(Job job, long start, long procs) {
            Slot slot = Slot.counted(start, 50, procs);
            fixture.plan.take(slot);
            fixture.slots.hold(job, slot);
        }

        /** Returns the walk, at its first stop. */
        QueueWalk stopped() {
            QueueWalk walk = new QueueWalk(pass);
            assertThat(walk.next()).isTrue();
            return walk;
        }

        /** Returns the jobs at which it stops when it passes over all of them. */
        List<String> stops() {
            QueueWalk walk = new QueueWalk(pass);
            List<String> stops = new ArrayList<>();
            while (walk.next()) {
                stops.add(walk.job().id());
                pass.passOver();
            }
            return stops;
        }
    }

    private void busy() {
        cluster.running("r2", 1, "n2", 0, 100);
    }

    @Test
    void shouldCountJobsKnownNotToFitWithoutALook() {
        cluster.waiting("wide", 2, 50);
        cluster.waiting("short", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY NEVER");
        walked.fillColumns(0);

        assertThat(walked.stopped().job().id()).isEqualTo("short");
        assertThat(walked.pass.passedOver()).isEqualTo(1);
        assertThat(walked.fixture.actions.considered).containsExactly("short");
    }

    @Test
    void shouldNotCountJobsThatAreNotEligibleYet() {
        cluster.jobs.put(cluster.waiting("now", 2, 50).edit().notBefore(0).done());
        cluster.jobs.put(cluster.waiting("later", 2, 50).edit().notBefore(1).done());
        cluster.waiting("short", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY NEVER");
        walked.fillColumns(0);
        walked.fillColumns(1);

        assertThat(walked.stopped().job().id()).isEqualTo("short");
        assertThat(walked.pass.passedOver()).isEqualTo(1);
    }

    @Test
    void shouldStopAtJobsKnownNotToFitWhileTheyMayGetAReservation() {
        cluster.waiting("wide", 2, 50);
        Walked walked = new Walked();
        walked.fillColumns(0);

        assertThat(walked.stops()).containsExactly("wide");
    }

    @Test
    void shouldLookAtEveryJobWhereTheBypassCountWeighs() {
        cluster.waiting("wide", 2, 50);
        Walked walked = new Walked(false, true, "RESERVATIONPOLICY NEVER");
        walked.fillColumns(0);

        assertThat(walked.stops()).containsExactly("wide");
    }

    @Test
    void shouldEndWhereNothingIsFreeAndNothingMayBeReserved() {
        busy();
        cluster.waiting("a", 1, 50);

        assertThat(new Walked("RESERVATIONPOLICY NEVER").stops()).isEmpty();
        assertThat(new Walked("RESERVATIONPOLICY CURRENTHIGHEST").stops()).containsExactly("a");
    }

    @Test
    void shouldGoOnAsFarAsTheLastJobThatCanBeOverByItsDeadline() {
        busy();
        cluster.waiting("a", 1, 50);
        cluster.waiting("b", 1, 50);
        cluster.waiting("c", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY NEVER");
        walked.pass.lastDue(1);

        assertThat(walked.stops()).containsExactly("a", "b");
    }

    @Test
    void shouldGoOnWhileReservationsOfEarlierPassesAreHeld() {
        busy();
        cluster.waiting("a", 1, 50);
        Job held = cluster.waiting("held", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST", "RESERVATIONDEPTH 0");
        walked.hold(held, 100, 1);

        assertThat(walked.stops()).containsExactly("a", "held");
    }

    @Test
    void shouldGoOnWhileAStartIsTriedAgain() {
        cluster.waiting("a", 1, 50);
        Job refused = cluster.waiting("refused", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY NEVER");
        walked.fixture.slots.retry(walked.fixture.plan, refused, Slot.counted(0, 50, 1));
        assertThat(walked.fixture.plan.exhausted()).isTrue();

        assertThat(walked.stops()).containsExactly("a", "refused");
    }

    @Test
    void shouldTryNoJobsBehindTheBackfillDepthButThoseThatAreDue() {
        cluster.waiting("a", 2, 50);
        cluster.waiting("b", 2, 50);
        cluster.waiting("c", 2, 50);
        cluster.due("due", 2, 50, 500);
        Walked walked = new Walked("BACKFILLDEPTH 1");

        assertThat(walked.stops()).containsExactly("a", "b", "due");
        assertThat(walked.pass.passedOver()).as("c is counted, too").isEqualTo(4);
    }

    @Test
    void shouldTellWhetherAJobCanBeOverByItsDeadline() {
        cluster.due("late", 1, 50, 49);
        cluster.due("due", 1, 50, 50);
        QueueWalk walk = new Walked().stopped();
        assertThat(walk.due()).isFalse();

        assertThat(walk.next()).isTrue();

        assertThat(walk.due()).isTrue();
    }

    @Test
    void shouldStartADueJobAheadOfItsSlotWhenCapacityCameFree() {
        Job due = cluster.due("due", 1, 50, 500);
        Walked walked = new Walked(true, false);
        walked.hold(due, 20, 1);

        assertThat(walked.stopped().start(true)).isTrue();
        assertThat(walked.fixture.actions.steps).containsExactly("start due");
    }

    @Test
    void shouldLeaveADueJobInItsSlotWhenNothingCameFree() {
        Job due = cluster.due("due", 1, 50, 500);
        Walked walked = new Walked();
        walked.hold(due, 20, 1);

        assertThat(walked.stopped().start(true)).isFalse();
    }

    @Test
    void shouldLeaveADueJobToTheReservationsThatAreKept() {
        Job due = cluster.due("due", 1, 50, 500);
        Walked walked = new Walked(true, false, "RESERVATIONPOLICY HIGHEST");
        walked.hold(due, 20, 1);

        assertThat(walked.stopped().start(true)).isFalse();
    }

    @Test
    void shouldAskNoPlugInAboutAJobThatHoldsItsSlot() {
        Job held = cluster.waiting("held", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST");
        walked.hold(held, 0, 1);
        walked.fixture.actions.awaited.add("held");

        assertThat(walked.stopped().start(true)).isTrue();
        assertThat(walked.fixture.actions.steps).containsExactly("start held");
        assertThat(walked.fixture.slots.of(held)).isNull();
    }

    @Test
    void shouldKeepTheSlotOfAJobOfWhichNobodySaidYetThatItCanBePaidFor() {
        Job held = cluster.waiting("held", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST");
        walked.hold(held, 0, 1);
        walked.fixture.actions.unpaid.add("held");

        assertThat(walked.stopped().start(true)).isTrue();
        assertThat(walked.fixture.actions.steps).isEmpty();
        assertThat(walked.fixture.slots.of(held)).isNotNull();
    }

    @Test
    void shouldLeaveASlotAloneInWhichAStartIsTriedAgain() {
        Job refused = cluster.waiting("refused", 1, 50);
        Walked walked = new Walked();
        walked.fixture.slots.retry(walked.fixture.plan, refused, Slot.counted(0, 50, 1));

        assertThat(walked.stopped().reserve()).isTrue();
        assertThat(walked.fixture.actions.steps).isEmpty();
        assertThat(walked.fixture.slots.of(refused)).isEqualTo(Slot.counted(0, 50, 1));
    }

    @Test
    void shouldCountASlotThatIsStillAhead() {
        Job held = cluster.waiting("held", 2, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST");
        walked.hold(held, 200, 2);

        assertThat(walked.stopped().reserve()).isTrue();
        assertThat(walked.fixture.actions.steps).isEmpty();
        assertThat(walked.pass.nextReserved()).isEqualTo(200);
        assertThat(walked.pass.depths().open()).isFalse();
    }

    @Test
    void shouldMoveASlotByASecondWhoseStartFails() {
        Job held = cluster.waiting("held", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST");
        walked.hold(held, 0, 1);

        assertThat(walked.stopped().reserve()).isTrue();
        assertThat(walked.fixture.actions.steps).containsExactly("reserve held 1");
    }

    @Test
    void shouldKeepAReservationThatLastsThoughNoPlaceOfItsGroupIsLeft() {
        Job first = cluster.waiting("first", 2, 50);
        Job second = cluster.waiting("second", 1, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST", "RESERVATIONDEPTH 1");
        walked.hold(first, 100, 2);
        walked.hold(second, 0, 1);
        QueueWalk walk = walked.stopped();
        walk.reserve();
        assertThat(walked.pass.depths().open()).isFalse();
        assertThat(walk.next()).isTrue();

        walk.reserve();

        assertThat(walked.fixture.actions.steps).containsExactly("reserve second 1");
    }

    @Test
    void shouldGiveUpTheSlotOfAJobThatCanNoLongerBeOverByItsDeadline() {
        Job due = cluster.due("due", 2, 50, 149);
        Walked walked = new Walked(true, false, "RESERVATIONPOLICY NEVER");
        walked.hold(due, 20, 2);
        QueueWalk walk = walked.stopped();
        assertThat(walk.start(true)).isFalse();

        assertThat(walk.reserve()).isTrue();

        assertThat(walked.fixture.slots.of(due)).isNull();
        assertThat(walked.fixture.actions.steps).containsExactly("late due 100");
    }

    @Test
    void shouldGiveUpTheSlotOfAJobThatFindsNoOther() {
        Job never = cluster.waiting("never", 3, 50);
        Walked walked = new Walked("RESERVATIONPOLICY HIGHEST");
        walked.fixture.slots.hold(never, Slot.counted(0, 50, 3));

        walked.stopped().reserve();

        assertThat(walked.fixture.slots.of(never)).isNull();
        assertThat(walked.fixture.actions.steps).containsExactly("impossible never");
    }

    @Test
    void shouldRememberThatADismissedJobDoesNotFit() {
        cluster.waiting("wide", 2, 50);
        Walked walked = new Walked("RESERVATIONPOLICY NEVER");
        QueueWalk walk = walked.stopped();
        assertThat(walk.reserve()).isFalse();

        walk.dismiss();

        assertThat(walked.fixture.plan.outOfReach(
                        cluster.jobs.queue().columns(), cluster.jobs.queue().row(0)))
                .isTrue();
    }

    /** Four processors of a node that is followed, as a job asks for memory. */
    private Walked onNode(String... policy) {
        cluster.node("n3", 4, 100, "default");
        return new Walked(policy);
    }

    private Slot onThirdNode(Walked walked, Job job) {
        return new Slot(
                0,
                50,
                1,
                List.of(new TaskShare(2, 0, 1)),
                walked.fixture.plan.now(job).planKey(),
                job);
    }

    @Test
    void shouldPlanAJobAnewThatTheNodesOfItsSlotDoNotAdmit() {
        Job held = cluster.waiting("held", null, 50, TestCluster.tasksWithMemory(1, 10));
        Walked walked = onNode("RESERVATIONPOLICY HIGHEST", "RESERVATIONDEPTH 0");
        Slot slot = onThirdNode(walked, held);
        walked.fixture.plan.take(slot);
        walked.fixture.slots.hold(held, slot);
        cluster.placement.admitted = 0;
        cluster.placement.present = 0;
        QueueWalk walk = walked.stopped();
        assertThat(walk.start(walk.inTurn())).isFalse();
        assertThat(walk.mayFillWindow()).isFalse();

        assertThat(walk.reserve()).as("it keeps its right to a reservation").isTrue();

        assertThat(walked.fixture.slots.of(held)).isNotNull();
        assertThat(walked.fixture.slots.of(held).start()).isPositive();
    }

    @Test
    void shouldStartAJobElsewhereThatTheNodesOfItsSlotDoNotAdmit() {
        Job held = cluster.waiting("held", null, 50, TestCluster.tasksWithMemory(1, 10));
        Walked walked = onNode("RESERVATIONPOLICY HIGHEST");
        Slot slot = onThirdNode(walked, held);
        walked.fixture.plan.take(slot);
        walked.fixture.slots.hold(held, slot);
        cluster.placement.admitted = 0;

        assertThat(walked.stopped().start(true)).isTrue();
        assertThat(walked.fixture.slots.of(held)).isNull();
    }

    @Test
    void shouldWaitForTheNodesOfARefusedStartWhileTheyDoNotAdmitTheJob() {
        Job refused = cluster.waiting("refused", null, 50, TestCluster.tasksWithMemory(1, 10));
        Walked walked = onNode();
        Slot slot = onThirdNode(walked, refused);
        walked.fixture.slots.retry(walked.fixture.plan, refused, slot);
        cluster.placement.admitted = 0;
        QueueWalk walk = walked.stopped();

        assertThat(walk.start(walk.inTurn())).isFalse();
        assertThat(walk.reserve()).isTrue();
        assertThat(walked.fixture.slots.of(refused)).isEqualTo(slot);
    }
}
