package io.weir.scheduler.core.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import java.util.Map;
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
        asked.plan(now, freed, null, actions);
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
    void shouldLookAtAllAgainAfterAJobThatFitsGotALaterSlot() {
        planner.configure(TestCluster.policy("QOSCFG[strict] QFLAGS=NOBF", "RESERVATIONDEPTH 2"));
        cluster.waiting("wide", 2, 50);
        cluster.waiting("narrow", "strict", 50, TestCluster.tasksWithMemory(1, 0));

        assertThat(looksAt(0)).containsExactly("wide", "narrow");
        assertThat(actions.steps).containsExactly("reserve wide 100", "reserve narrow 150");
        assertThat(looksAt(0)).containsExactly("wide", "narrow");
    }

    @Test
    void shouldLookAgainAtAJobWhenItShouldHaveBegunInANodeSet() {
        TestCluster racks = new TestCluster();
        List.of("a1", "a2", "b1")
                .forEach(id -> racks.node(id, 1, node -> node.setFeatures(List.of(id.substring(0, 1)))));
        racks.reserved("maintenance", "USER==root", 0, 20, 1, "a1");
        racks.waiting("j", 2, 50);
        BackfillPlanner planned =
                new BackfillPlanner(racks.jobs, racks.nodes, racks.reservations, racks.access, racks.placement);
        planned.configure(TestCluster.policy(
                "RESERVATIONPOLICY NEVER",
                "NODESETPOLICY ONEOF",
                "NODESETATTRIBUTE FEATURE",
                "NODESETLIST a,b",
                "NODESETDELAY 30"));
        planned.followNodes();
        RecordedActions done = new RecordedActions(racks);

        planned.plan(0, false, null, done);
        planned.plan(19, false, null, done);
        assertThat(done.considered).containsExactly("j");

        planned.plan(20, false, null, done);
        assertThat(done.considered).containsExactly("j", "j");
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

        planner.plan(0, false, null, actions);

        assertThat(actions.steps).containsExactly("reserve first 100", "release second");
    }

    @Test
    void shouldReleaseNothingInAContinuedPass() {
        firstPass();
        Job second = cluster.waiting("second", 2, 50);
        cluster.reservations.put(Reservation.of(second, 150, List.of(), 1));
        planner.joined(second);

        planner.plan(10, false, null, actions);

        assertThat(actions.steps).containsExactly("reserve wide 100");
    }

    @Test
    void shouldRetainReservationsInACompletePassAlone() {
        BackfillPlanner retaining = planner("RESERVATIONPOLICY HIGHEST");
        Job wide = cluster.waiting("wide", 2, 50);
        cluster.reservations.put(Reservation.of(wide, 200, List.of(), 1));

        retaining.plan(0, false, null, actions);
        assertThat(actions.steps).isEmpty();
        assertThat(retaining.nextReserved()).isEqualTo(200);

        assertThat(looksAt(retaining, 10, false)).isEmpty();
    }

    @Test
    void shouldKeepNothingWhereNothingIsReserved() {
        BackfillPlanner strict = planner("BACKFILLPOLICY NONE", "RESERVATIONPOLICY HIGHEST");
        Job wide = cluster.waiting("wide", 2, 50);
        cluster.reservations.put(Reservation.of(wide, 200, List.of(), 1));

        strict.plan(0, false, null, actions);

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

    /** A first pass that follows nodes, reserves for {@code wide} and lets {@code short} start before it. */
    private void passWithAStartBehindAReservation() {
        cluster.waiting("wide", 2, 50);
        cluster.waiting("short", 1, 50);
        planner.followNodes();
        assertThat(looksAt(0)).containsExactly("wide", "short");
        assertThat(actions.steps).containsExactlyInAnyOrder("reserve wide 100", "backfill short");
    }

    @Test
    void shouldLookAtAllAgainAfterAStartBehindASlotThatMayBeChosenOtherwise() {
        cluster.placement.steady = false;
        passWithAStartBehindAReservation();

        assertThat(looksAt(1)).containsExactly("wide");
        assertThat(looksAt(2)).as("nothing started behind it this time").isEmpty();
    }

    @Test
    void shouldGoOnAfterAStartBehindASlotThatWouldBeChosenAgain() {
        passWithAStartBehindAReservation();

        assertThat(looksAt(1)).isEmpty();
    }

    @Test
    void shouldLookAtAllInEveryPassWhereEachJobChoosesItsNodesByItself() {
        cluster.placement.personal = true;
        firstPass();

        assertThat(looksAt(1)).containsExactly("wide");
    }

    @Test
    void shouldLookAtAllInEveryPassWhileTheChoiceOfNodesIsUnsettled() {
        planner.followNodes();
        firstPass();
        cluster.placement.settled = false;
        assertThat(looksAt(1)).containsExactly("wide");

        cluster.placement.settled = true;

        assertThat(looksAt(2)).isEmpty();
    }

    @Test
    void shouldNotCareAboutTheChoiceOfNodesWhereProcessorsAreCounted() {
        firstPass();

        cluster.placement.settled = false;

        assertThat(looksAt(1)).isEmpty();
    }

    @Test
    void shouldLookAtAllAgainAfterAJobWasFoundImpossible() {
        cluster.waiting("never", 3, 50);
        assertThat(looksAt(0)).containsExactly("never");

        assertThat(looksAt(1)).containsExactly("never");
        assertThat(actions.steps).containsExactly("impossible never", "impossible never");
    }

    @Test
    void shouldLookAtAllWhenAJobJoinsAheadOfOneThatWasSeen() {
        Job ahead = cluster.waiting("ahead", 2, 50);
        cluster.jobs.remove("ahead");
        firstPass();

        cluster.jobs.put(ahead);
        planner.joined(ahead);

        assertThat(looksAt(10)).containsExactly("ahead", "wide");
    }

    @Test
    void shouldLookAtAllInEveryPassWhileADeadlineCanBeMet() {
        cluster.due("due", 2, 50, 150);

        assertThat(looksAt(0)).containsExactly("due");
        assertThat(looksAt(1)).containsExactly("due");
        assertThat(actions.steps).as("the slot is at the limit of its time").containsOnly("reserve due 100");
    }

    @Test
    void shouldGoOnWithAPlanWhereTheLastIterationLeftIt() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        cluster.waiting("first", 2, 50);
        cluster.waiting("second", 2, 50);
        cluster.waiting("third", 2, 50);

        PlanProgress begun = sliced.plan(0, false, null, actions);
        assertThat(actions.steps).containsExactly("reserve first 100");
        assertThat(sliced.unfinished()).isTrue();
        assertThat(sliced.planned()).isEqualTo(1);

        PlanProgress further = sliced.plan(1, false, begun, actions);
        assertThat(actions.steps).containsExactly("reserve first 100", "reserve second 150");

        sliced.plan(2, false, further, actions);
        assertThat(actions.steps).containsExactly("reserve first 100", "reserve second 150", "reserve third 200");
        assertThat(sliced.unfinished()).isFalse();
        assertThat(sliced.planned()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldGoOnWhereNodesTakeNoJobsForSomeTimeFromNowOn() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1\nNODEBUSYSTATEDELAYTIME 60");
        cluster.node("busy", 1, report -> report.setState(NodeState.BUSY));
        cluster.waiting("first", 3, 50);
        cluster.waiting("second", 3, 50);

        PlanProgress begun = sliced.plan(0, false, null, actions);
        PlanProgress further = sliced.plan(1, false, begun, actions);

        assertThat(actions.steps).containsExactly("reserve first 100", "reserve second 150");
        assertThat(begun).isNotNull();
        assertThat(begun.nextStep())
                .as("a plan made then would not count on the node yet")
                .isEqualTo(60);
        assertThat(further).as("the whole plan is good for this pass alone").isNull();
    }

    @Test
    void shouldBeginAnewWhereOtherNodesTakeNoJobs() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        cluster.waiting("first", 2, 50);
        cluster.waiting("second", 2, 50);

        PlanProgress begun = sliced.plan(0, false, null, actions);
        cluster.placement.delayed = 7;
        sliced.plan(1, false, begun, actions);

        assertThat(actions.steps).containsExactly("reserve first 100", "reserve first 100");
    }

    @Test
    void shouldBeginAnewInsteadOfGoingOnWhenCapacityCameFree() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        cluster.waiting("first", 2, 50);
        cluster.waiting("second", 2, 50);

        PlanProgress begun = sliced.plan(0, false, null, actions);
        sliced.plan(1, true, begun, actions);

        assertThat(actions.steps).containsExactly("reserve first 100", "reserve first 100");
        assertThat(sliced.planned()).isEqualTo(1);
    }

    @Test
    void shouldNotStartAJobBehindThoseThatAreNotPlannedYet() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        cluster.waiting("first", 2, 50);
        cluster.waiting("second", 2, 50);
        cluster.waiting("fits", 1, 50);

        PlanProgress begun = sliced.plan(0, false, null, actions);
        PlanProgress further = sliced.plan(1, false, begun, actions);
        assertThat(actions.steps).containsExactly("reserve first 100", "reserve second 150");

        sliced.plan(2, false, further, actions);
        assertThat(actions.steps).containsExactly("reserve first 100", "reserve second 150", "backfill fits");
    }

    @Test
    void shouldKeepTheReservationsOfJobsThatAnUnfinishedPlanHasNotReached() {
        BackfillPlanner sliced = planner("RESERVATIONDEPTH INFINITY\nRESERVATIONSLICE 1");
        cluster.waiting("first", 2, 50);
        Job second = cluster.waiting("second", 2, 50);
        Job third = cluster.waiting("third", 2, 50);
        cluster.reservations.put(Reservation.of(second, 170, List.of(), 1));
        cluster.reservations.put(Reservation.of(third, 0, List.of(), 1));

        sliced.plan(0, false, null, actions);

        assertThat(actions.steps)
                .as("the third should have begun by now")
                .containsExactly("reserve first 100", "release third");
    }

    @Test
    void shouldReportOnceAPassThatADeadlineIsOutOfReach() {
        cluster.due("late", 2, 50, 49);

        planner.plan(0, false, null, actions);

        assertThat(actions.steps.get(0)).isEqualTo("late late 0");
    }

    @Test
    void shouldNotReportAJobThatWouldJustBeOverByItsDeadline() {
        cluster.due("due", 1, 50, 50);

        planner.plan(0, false, null, actions);

        assertThat(actions.steps).containsExactly("start due");
    }

    @Test
    void shouldReserveInTimeForADeadlineWithoutAPlaceOfAGroup() {
        BackfillPlanner shallow = planner("RESERVATIONDEPTH 1");
        cluster.waiting("wide", 2, 50);
        cluster.due("due", 2, 50, 200);
        cluster.waiting("third", 2, 50);

        shallow.plan(0, false, null, actions);

        assertThat(actions.steps).containsExactly("reserve wide 100", "reserve due 150");
    }

    @Test
    void shouldLeaveADeadlineThatIsMissedToTheDepthOfTheGroup() {
        BackfillPlanner shallow = planner("RESERVATIONDEPTH 1");
        cluster.waiting("wide", 2, 50);
        cluster.due("due", 2, 50, 199);

        shallow.plan(0, false, null, actions);

        assertThat(actions.steps).containsExactly("reserve wide 100", "late due 150");
    }

    @Test
    void shouldKeepASlotThatIsInTimeThoughNoReservationOutlastsAPass() {
        Job due = cluster.due("due", 2, 50, 300);
        cluster.reservations.put(Reservation.of(due, 200, List.of(), 1));

        planner.plan(0, false, null, actions);
        assertThat(actions.steps).as("nothing came free").isEmpty();

        planner.plan(1, true, null, actions);
        assertThat(actions.steps).as("capacity came free").containsExactly("reserve due 100");
    }

    @Test
    void shouldLookAtAllWhenAJobJoinsThatHasToStayInsideAReservation() {
        firstPass();
        JobOptions inside =
                new JobOptions(List.of(), List.of(), null, null, null, null, "maintenance", List.of(), Job.NONE, null);

        planner.joined(cluster.waiting("inside", 1, 50, inside));

        assertThat(looksAt(10)).containsExactly("wide", "inside");
    }

    @Test
    void shouldLookAtEveryJobAheadOfOneThatCanBeOverByItsDeadline() {
        cluster.running("r2", 1, "n2", 0, 100);
        cluster.waiting("first", 2, 50);
        cluster.waiting("second", 2, 50);
        cluster.due("due", 2, 50, 200);
        cluster.waiting("last", 2, 50);

        assertThat(looksAt(0)).containsExactly("first", "second", "due");
        assertThat(actions.steps).containsExactly("reserve first 100", "reserve due 150");
    }

    @Test
    void shouldReportHowManyJobsOvertookAJobWithAReservation() {
        cluster.waiting("wide", 2, 50);
        cluster.waiting("short", 1, 50);

        planner.plan(0, false, null, actions);

        assertThat(actions.bypasses).containsExactly(Map.entry("wide", 1));
    }

    @Test
    void shouldCountForEveryJobWhereTheCountWeighs() {
        cluster.waiting("wide", 2, 50);
        cluster.waiting("short", 1, 50);

        planner("RESERVATIONPOLICY NEVER").plan(0, false, null, actions);
        assertThat(actions.bypasses).isEmpty();

        cluster.waiting("another", 1, 50);
        planner("RESERVATIONPOLICY NEVER", "BYPASSWEIGHT 1").plan(0, false, null, actions);
        assertThat(actions.bypasses).containsExactly(Map.entry("wide", 1));
    }

    @Test
    void shouldReleaseInACompletePassWhatAnEarlierOneReserved() {
        firstPass();
        cluster.reservations.put(Reservation.of(cluster.jobs.get("wide"), 100, List.of(), 1));
        cluster.jobs.remove("wide");
        planner.invalidate();

        planner.plan(10, false, null, actions);

        assertThat(actions.steps).containsExactly("reserve wide 100", "release wide");
    }

    @Test
    void shouldKeepTheNodesOfARefusedStartFromJobsAheadOfIt() {
        cluster.waiting("first", 1, 50);
        Job refused = cluster.waiting("refused", 1, 50).edit().refusedSince(0).done();
        cluster.jobs.put(refused);
        cluster.reservations.put(Reservation.of(refused, 0, List.of(new TaskPlacement("n2", 0, 1)), 1));

        planner("RESERVATIONRETRYTIME 30").plan(0, false, null, actions);

        assertThat(actions.steps).containsExactlyInAnyOrder("reserve first 50", "backfill refused");
    }

    @Test
    void shouldCountFromThePresentWhenItGoesOn() {
        firstPass();
        planner.joined(cluster.waiting("beyond", 1, 50));

        assertThat(looksAt(60)).containsExactly("beyond");
        assertThat(actions.steps).as("it would not be over by 100").containsExactly("reserve wide 100");
    }
}
