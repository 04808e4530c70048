package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which passes are complete, and which only look at what is new: two processors, one of them busy until 100. */
class BackfillPlannerTest {
    private final TestCluster cluster = new TestCluster().nodes(2, 1).running("r", 1, "n1", 0, 100);
    private final RecordedActions actions = new RecordedActions(cluster);
    private final BackfillPlanner planner = planner();

    private BackfillPlanner planner(String... policy) {
        BackfillPlanner made = new BackfillPlanner(
                cluster.jobs, cluster.nodes, cluster.reservations, cluster.access, cluster.placement);
        made.configure(TestCluster.policy(policy));
        return made;
    }

    /** Returns the jobs that a pass looks at. */
    private List<String> looksAt(BackfillPlanner asked, long now, boolean freed) {
        actions.considered.clear();
        asked.plan(now, freed, actions);
        return List.copyOf(actions.considered);
    }

    private List<String> looksAt(long now) {
        return looksAt(planner, now, false);
    }

    /** A first pass at 0 that leaves {@code wide} waiting for both processors. */
    private void firstPass() {
        cluster.waiting("wide", 2, 50);
        assertThat(looksAt(0)).containsExactly("wide");
        assertThat(actions.steps).containsExactly("reserve wide 100");
    }

    @Test
    void shouldNotLookAgainAtAJobThatWasPassedOver() {
        firstPass();

        assertThat(looksAt(0)).isEmpty();
        assertThat(looksAt(99)).isEmpty();
    }

    @Test
    void shouldLookAtANewJobAlone() {
        firstPass();
        planner.joined(cluster.waiting("short", 1, 50));

        assertThat(looksAt(10)).containsExactly("short");
        assertThat(actions.steps).containsExactly("reserve wide 100", "backfill short");
    }

    @Test
    void shouldLookAtAllAgainWhenTheSeenPartOfTheQueueIsReordered() {
        firstPass();
        planner.reordered(1);
        assertThat(looksAt(10)).isEmpty();

        planner.reordered(0);

        assertThat(looksAt(10)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllAgainOnRequest() {
        firstPass();

        planner.invalidate();

        assertThat(looksAt(10)).containsExactly("wide");
        assertThat(looksAt(11)).isEmpty();
    }

    @Test
    void shouldLookAtAllAgainUnderAnotherPolicy() {
        firstPass();

        planner.configure(TestCluster.policy("RESERVATIONPOLICY NEVER"));

        assertThat(looksAt(10)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllAgainWhenCapacityCameFree() {
        firstPass();

        assertThat(looksAt(planner, 10, true)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllAgainWhenAReservationBegins() {
        firstPass();
        assertThat(planner.nextReserved()).isEqualTo(100);

        assertThat(looksAt(99)).isEmpty();
        assertThat(looksAt(100)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllAgainWhenARunningJobShouldEnd() {
        reservedBehindBoth();

        assertThat(looksAt(99)).isEmpty();
        assertThat(looksAt(100)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllOnceASecondWhileARunningJobIsOverdue() {
        reservedBehindBoth();

        assertThat(looksAt(100)).containsExactly("wide");
        assertThat(looksAt(100)).isEmpty();
        assertThat(looksAt(101)).containsExactly("wide");
    }

    /** A first pass in which nothing is free before 100, nor all of it before 200. */
    private void reservedBehindBoth() {
        cluster.running("r2", 1, "n2", 0, 200).waiting("wide", 2, 50);
        looksAt(0);
        assertThat(planner.nextReserved()).isEqualTo(200);
    }

    @Test
    void shouldLookAtAllAgainOnceRoomIsKeptForWideJobsNoLonger() {
        firstPass();
        planner.chunkUntil(50);

        assertThat(looksAt(49)).isEmpty();
        assertThat(looksAt(50)).containsExactly("wide");
        assertThat(looksAt(51)).isEmpty();
    }

    @Test
    void shouldLookAtAllAgainWhenAJobBecomesEligible() {
        Job later = cluster.waiting("later", 1, 50).edit().notBefore(20).done();
        cluster.jobs.put(later);
        firstPassOverBoth();

        assertThat(looksAt(19)).isEmpty();
        assertThat(looksAt(20)).contains("later", "wide");
        assertThat(actions.steps).contains("start later");
    }

    private void firstPassOverBoth() {
        cluster.waiting("wide", 2, 50);
        looksAt(0);
        assertThat(actions.steps).containsExactly("reserve wide 100");
    }

    @Test
    void shouldLookAtAllInEveryPassThatFillsWindows() {
        BackfillPlanner filling = planner("BACKFILLPOLICY BESTFIT");
        cluster.waiting("wide", 2, 50);

        assertThat(looksAt(filling, 0, false)).containsExactly("wide");
        assertThat(looksAt(filling, 1, false)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllInEveryPassWhileARefusedStartIsTriedAgain() {
        Job refused = cluster.waiting("refused", 1, 50).edit().refusedSince(0).done();
        cluster.jobs.put(refused);
        cluster.reservations.put(Reservation.of(refused, 0, List.of(), 1));
        BackfillPlanner trying = planner("RESERVATIONRETRYTIME 30");
        actions.refused.add("refused");
        cluster.waiting("wide", 2, 50);

        assertThat(looksAt(trying, 0, false)).containsExactly("refused", "wide");
        assertThat(looksAt(trying, 1, false)).containsExactly("refused", "wide");
    }

    @Test
    void shouldReleaseReservationsThatACompletePassNeitherKeptNorMade() {
        Job first = cluster.waiting("first", 2, 50);
        Job second = cluster.waiting("second", 2, 50);
        cluster.reservations.put(Reservation.of(first, 100, List.of(), 1));
        cluster.reservations.put(Reservation.of(second, 150, List.of(), 1));

        planner.plan(0, false, actions);

        assertThat(actions.steps).containsExactly("reserve first 100", "release second");
    }

    @Test
    void shouldReleaseNothingInAContinuedPass() {
        firstPass();
        Job second = cluster.waiting("second", 2, 50);
        cluster.reservations.put(Reservation.of(second, 150, List.of(), 1));
        planner.joined(second);

        planner.plan(10, false, actions);

        assertThat(actions.steps).containsExactly("reserve wide 100");
    }

    @Test
    void shouldRetainReservationsInACompletePassAlone() {
        BackfillPlanner retaining = planner("RESERVATIONPOLICY HIGHEST");
        Job wide = cluster.waiting("wide", 2, 50);
        cluster.reservations.put(Reservation.of(wide, 200, List.of(), 1));

        retaining.plan(0, false, actions);
        assertThat(actions.steps).isEmpty();
        assertThat(retaining.nextReserved()).isEqualTo(200);

        assertThat(looksAt(retaining, 10, false)).isEmpty();
    }

    @Test
    void shouldKeepNothingWhereNothingIsReserved() {
        BackfillPlanner strict = planner("BACKFILLPOLICY NONE", "RESERVATIONPOLICY HIGHEST");
        Job wide = cluster.waiting("wide", 2, 50);
        cluster.reservations.put(Reservation.of(wide, 200, List.of(), 1));

        strict.plan(0, false, actions);

        assertThat(actions.steps).containsExactly("release wide");
    }

    @Test
    void shouldPlanAnewAfterAQuestionWhereNodesAreFollowed() {
        cluster.waiting("wide", 2, 50);
        planner.followNodes();
        looksAt(0);
        assertThat(looksAt(1)).isEmpty();

        planner.startEstimator(2);

        assertThat(looksAt(2)).containsExactly("wide");
    }

    @Test
    void shouldGoOnAfterAQuestionWhereProcessorsAreCounted() {
        firstPass();

        planner.startEstimator(2);

        assertThat(looksAt(2)).isEmpty();
    }

    @Test
    void shouldHaveNoReservationBeforeTheFirstPass() {
        assertThat(planner.nextReserved()).isEqualTo(AvailabilityProfile.NEVER);
    }
}
