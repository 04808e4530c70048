package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every {@link ResourcePlan} promises, on nodes that are all alike. Subclasses say which plan. */
abstract class ResourcePlanContract {
    private static final long NOW = 1_000;
    private static final int HORIZON = 400;

    /** A limit that is none. */
    private static final long UNLIMITED = 3_162_240_000L;

    abstract ResourcePlan plan(TestCluster cluster);

    private ResourcePlan reset(TestCluster cluster) {
        ResourcePlan plan = plan(cluster);
        plan.reset(NOW, SitePolicy.DEFAULT);
        return plan;
    }

    @Test
    void shouldFitAJobNowWhenItsProcessorsStayFreeForItsWholeLimit() {
        TestCluster cluster = new TestCluster().nodes(4, 1);
        Job whole = cluster.waiting("whole", 4, 100);
        Job until = cluster.waiting("until", 2, 50);
        Job beyond = cluster.waiting("beyond", 2, 51);
        ResourcePlan plan = reset(cluster);

        plan.take(slot(plan.earliest(whole, NOW + 50)));

        assertThat(slot(plan.now(until)).start()).isEqualTo(NOW);
        assertThat(plan.now(beyond)).isNull();
    }

    @Test
    void shouldFindTheFirstInstantAtWhichRunningJobsLeaveEnough() {
        TestCluster cluster = new TestCluster()
                .nodes(4, 1)
                .running("a", 1, "n1", NOW - 10, 110)
                .running("b", 1, "n2", NOW - 10, 210);
        Job three = cluster.waiting("three", 3, 60);
        Job four = cluster.waiting("four", 4, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(slot(plan.earliest(three, NOW)).start()).isEqualTo(NOW + 100);
        assertThat(slot(plan.earliest(four, NOW)).start()).isEqualTo(NOW + 200);
        assertThat(slot(plan.earliest(three, NOW + 150)).start()).isEqualTo(NOW + 150);
    }

    @Test
    void shouldCountAJobThatRunsBeyondItsLimitAsEndingAtTheNextSecond() {
        TestCluster cluster = new TestCluster().nodes(1, 1).running("late", 1, "n1", NOW - 100, 50);
        Job next = cluster.waiting("next", 1, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(slot(plan.earliest(next, NOW)).start()).isEqualTo(NOW + 1);
    }

    @Test
    void shouldPlanAJobWithoutALimitAsOneOfTheLongestRunPlanned() {
        TestCluster cluster = new TestCluster()
                .nodes(3, 1)
                .running("a", 1, "n1", NOW - 10, UNLIMITED)
                .running("b", 1, "n2", NOW - 20, Job.LONGEST_PLANNED + 15);
        Job wide = cluster.waiting("wide", 3, UNLIMITED);
        Job two = cluster.waiting("two", 2, 60);
        Job narrow = cluster.waiting("narrow", 1, UNLIMITED);
        Job brief = cluster.waiting("brief", 1, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(slot(plan.earliest(two, NOW)).start()).isEqualTo(NOW - 20 + Job.LONGEST_PLANNED);
        Slot slot = slot(plan.earliest(wide, NOW));
        assertThat(slot.start()).isEqualTo(NOW - 10 + Job.LONGEST_PLANNED);
        assertThat(slot.seconds()).isEqualTo(Job.LONGEST_PLANNED);
        plan.take(slot);

        assertThat(plan.now(narrow)).isNull();
        assertThat(slot(plan.now(brief)).start()).isEqualTo(NOW);
        assertThat(slot(plan.earliest(narrow, NOW)).start()).isEqualTo(slot.end());
    }

    @Test
    void shouldPlanNoStartSoFarAheadThatItIsNotCounted() {
        TestCluster cluster = new TestCluster().nodes(1, 1).running("a", 1, "n1", NOW, UNLIMITED);
        ResourcePlan plan = reset(cluster);
        for (int i = 1; i <= 2; i++) {
            Slot slot = slot(plan.earliest(cluster.waiting("j" + i, 1, UNLIMITED), NOW));
            assertThat(slot.start()).isEqualTo(NOW + i * Job.LONGEST_PLANNED);
            plan.take(slot);
        }

        assertThat(plan.earliest(cluster.waiting("j3", 1, UNLIMITED), NOW)).isNull();
    }

    @Test
    void shouldFindASlotAgainThatWasGivenBack() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job first = cluster.waiting("first", 2, 100);
        Job second = cluster.waiting("second", 1, 100);
        ResourcePlan plan = reset(cluster);
        Slot taken = slot(plan.now(first));

        plan.take(taken);
        assertThat(plan.now(second)).isNull();
        assertThat(slot(plan.earliest(second, NOW)).start()).isEqualTo(NOW + 100);
        plan.giveBack(taken);

        assertThat(slot(plan.now(second)).start()).isEqualTo(NOW);
    }

    @Test
    void shouldBeExhaustedWhenNoProcessorIsFreeNow() {
        TestCluster cluster = new TestCluster().nodes(2, 1).running("a", 1, "n1", NOW, 100);
        Job last = cluster.waiting("last", 1, 10);
        ResourcePlan plan = reset(cluster);
        assertThat(plan.exhausted()).isFalse();

        plan.take(slot(plan.now(last)));

        assertThat(plan.exhausted()).isTrue();
    }

    @Test
    void shouldListWindowsWidestFirstAndEachLongerThanTheOneBefore() {
        TestCluster cluster = new TestCluster().nodes(4, 1);
        Job soon = cluster.waiting("soon", 3, 100);
        Job later = cluster.waiting("later", 4, 100);
        ResourcePlan plan = reset(cluster);
        plan.take(slot(plan.earliest(soon, NOW + 50)));
        plan.take(slot(plan.earliest(later, NOW + 150)));

        assertThat(plan.windows()).containsExactly(new Window(4, 50), new Window(1, 150));
    }

    @Test
    void shouldListAWindowWithoutEndWhereNothingIsPlanned() {
        ResourcePlan plan = reset(new TestCluster().nodes(3, 1));

        assertThat(plan.windows()).containsExactly(new Window(3, Long.MAX_VALUE));
    }

    @Test
    void shouldNotEndAWindowWhereMoreComesFree() {
        TestCluster cluster = new TestCluster().nodes(2, 1).running("a", 1, "n1", NOW, 100);

        assertThat(reset(cluster).windows()).containsExactly(new Window(1, Long.MAX_VALUE));
    }

    @Test
    void shouldListNoWindowWhereNothingIsFree() {
        TestCluster cluster = new TestCluster().nodes(1, 1).running("a", 1, "n1", NOW, 100);

        assertThat(reset(cluster).windows()).isEmpty();
    }

    @Test
    void shouldTellWhatNoStateOfTheNodesCouldHold() {
        TestCluster cluster = new TestCluster().nodes(4, 1).running("a", 1, "n1", NOW, 100);
        Job widest = cluster.waiting("widest", 4, 10);
        Job wider = cluster.waiting("wider", 5, 10);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.possible(widest)).isTrue();
        assertThat(plan.possible(wider)).isFalse();
        assertThat(plan.earliest(wider, NOW)).isNull();
    }

    @Test
    void shouldNoticeThatMoreIsTakenThanThereIs() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job job = cluster.waiting("job", 2, 10);
        ResourcePlan plan = reset(cluster);
        Slot slot = slot(plan.now(job));

        plan.take(slot);
        assertThat(plan.overcommitted()).isFalse();
        plan.take(slot);

        assertThat(plan.overcommitted()).isTrue();
    }

    @Test
    void shouldRememberThatAJobIsOutOfReachUntilCapacityComesFree() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job head = cluster.waiting("head", 2, 100);
        Job blocked = cluster.waiting("blocked", 1, 100);
        ResourcePlan plan = reset(cluster);
        int row = cluster.jobs.queue().row(1);
        Slot taken = slot(plan.now(head));
        plan.take(taken);
        assertThat(plan.outOfReach(cluster.jobs.queue().columns(), row))
                .as("not looked at yet")
                .isFalse();

        assertThat(plan.now(blocked)).isNull();
        plan.fillColumns(blocked, cluster.jobs.queue().columns(), row);
        assertThat(plan.outOfReach(cluster.jobs.queue().columns(), row)).isTrue();
        plan.giveBack(taken);

        assertThat(plan.outOfReach(cluster.jobs.queue().columns(), row)).isFalse();
    }

    @Test
    void shouldGoOnWithTheSamePlanAtALaterInstant() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job reserved = cluster.waiting("reserved", 2, 100);
        Job fitting = cluster.waiting("fitting", 1, 60);
        Job tooLong = cluster.waiting("tooLong", 1, 61);
        ResourcePlan plan = reset(cluster);
        plan.take(slot(plan.earliest(reserved, NOW + 100)));

        plan.resume(NOW + 40);

        assertThat(slot(plan.now(fitting)).start()).isEqualTo(NOW + 40);
        assertThat(plan.now(tooLong)).isNull();
    }

    @Test
    void shouldNotTakeAReservationForASlotOfAnotherRequest() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job job = cluster.waiting("job", 1, 100);
        Job longer = cluster.waiting("job", 1, 200);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.reserved(longer, Reservation.of(job, NOW + 10, List.of(), 1)))
                .isNull();
    }

    @Test
    void shouldNotTakeAReservationForASlotOfAnotherNumberOfProcessors() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job job = cluster.waiting("job", 1, 100);
        Job wider = cluster.waiting("job", 2, 100);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.reserved(wider, Reservation.of(job, NOW + 10, List.of(new TaskPlacement("n1", 0, 1)), 1)))
                .isNull();
    }

    @Test
    void shouldTakeAReservationForTheSlotItStandsFor() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job job = cluster.waiting("job", 1, 100);
        ResourcePlan plan = reset(cluster);

        Slot slot = slot(plan.reserved(job, Reservation.of(job, NOW + 10, List.of(new TaskPlacement("n1", 0, 1)), 1)));

        assertThat(slot.start()).isEqualTo(NOW + 10);
        assertThat(slot.seconds()).isEqualTo(100);
        assertThat(slot.procs()).isEqualTo(1);
    }

    @Test
    void shouldAgreeWithACountOfEverySecond() {
        for (long seed = 1; seed <= 40; seed++) {
            Random random = new Random(seed);
            int procs = 2 + random.nextInt(5);
            TestCluster cluster = new TestCluster().nodes(procs, 1);
            int[] free = new int[4 * HORIZON];
            Arrays.fill(free, procs);
            List<Job> jobs = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                jobs.add(cluster.waiting("j" + i, 1 + random.nextInt(procs), 1 + random.nextInt(60)));
            }
            ResourcePlan plan = reset(cluster);
            List<Slot> taken = new ArrayList<>();
            for (Job job : jobs) {
                int from = random.nextInt(HORIZON / 2);
                Slot slot = slot(plan.earliest(job, NOW + from));

                assertThat(slot.start() - NOW)
                        .as("seed %d, job %s from %d", seed, job.id(), from)
                        .isEqualTo(earliest(free, from, job));
                assertThat(plan.now(job) != null)
                        .as("seed %d, job %s now", seed, job.id())
                        .isEqualTo(earliest(free, 0, job) == 0);
                assertThat(jobs)
                        .as("seed %d, where %s waits", seed, job.id())
                        .allMatch(other -> plan.fitsNow(other) == (earliest(free, 0, other) == 0));
                plan.take(slot);
                count(free, slot, -1);
                taken.add(slot);
                if (random.nextInt(3) == 0) {
                    Slot back = taken.remove(random.nextInt(taken.size()));
                    plan.giveBack(back);
                    count(free, back, 1);
                }
            }
        }
    }

    private static int earliest(int[] free, int from, Job job) {
        int start = from;
        for (int second = from; second - start < job.limitSeconds(); second++) {
            if (free[second] < job.request().procs()) {
                start = second + 1;
            }
        }
        return start;
    }

    private static void count(int[] free, Slot slot, int sign) {
        for (long second = slot.start(); second < slot.end(); second++) {
            free[(int) (second - NOW)] += (int) (sign * slot.procs());
        }
    }

    private static Slot slot(@org.jspecify.annotations.Nullable Slot slot) {
        assertThat(slot).isNotNull();
        return slot;
    }
}
