package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobOptions;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.schemas.TaskPlacement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which nodes a job gets, now and later, when the first fitting one is no answer. */
class NodeSelectorTest {
    private static NodePlan plan(TestCluster cluster) {
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.reset(0, SitePolicy.DEFAULT);
        return plan;
    }

    /** One processor with much memory, one with little; which of them comes first is up to the test. */
    private static TestCluster largeAndSmall(boolean largeFirst) {
        return largeFirst
                ? new TestCluster().node("large", 1, 1000, "DEFAULT").node("small", 1, 100, "DEFAULT")
                : new TestCluster().node("small", 1, 100, "DEFAULT").node("large", 1, 1000, "DEFAULT");
    }

    @Test
    void shouldPlaceTheScarceRequirementFirstWhenTheOrderOfTheJobLeavesItNoNode() {
        for (boolean largeFirst : new boolean[] {true, false}) {
            TestCluster cluster = largeAndSmall(largeFirst);
            int large = largeFirst ? 0 : 1;
            Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), TestCluster.tasksWithMemory(1, 500));
            NodePlan plan = plan(cluster);

            assertThat(plan.now(job).shares())
                    .containsExactly(new TaskShare(1 - large, 0, 1), new TaskShare(large, 1, 1));
            assertThat(plan.earliest(job, 500).shares())
                    .containsExactly(new TaskShare(1 - large, 0, 1), new TaskShare(large, 1, 1));
        }
    }

    @Test
    void shouldLeaveThePlanAsItWasAfterPlacingSeveralRequirements() {
        TestCluster cluster = largeAndSmall(true);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), TestCluster.tasksWithMemory(1, 500));
        Job next = cluster.waiting("next", 2, 60);
        NodePlan plan = plan(cluster);
        plan.now(job);
        plan.earliest(job, 0);

        assertThat(plan.now(next)).isNotNull();
        assertThat(plan.overcommitted()).isFalse();
    }

    @Test
    void shouldNotPlaceTasksOfTwoRequirementsOnTheSameProcessor() {
        TestCluster cluster = new TestCluster().node("n1", 2, 1000, "DEFAULT").node("n2", 1, 100, "DEFAULT");
        Job fits = cluster.waiting("fits", null, 60, TestCluster.tasksWithMemory(1, 500), Requirement.ofProcs(2, 1));
        Job tooMany = cluster.waiting("many", null, 60, TestCluster.tasksWithMemory(2, 400), Requirement.ofProcs(2, 1));
        NodePlan plan = plan(cluster);

        assertThat(plan.now(fits).shares()).extracting(TaskShare::tasks).containsExactlyInAnyOrder(1, 1, 1);
        assertThat(plan.now(tooMany)).isNull();
        assertThat(plan.earliest(tooMany, 0)).isNull();
    }

    @Test
    void shouldTakeOnlyNodesThatHoldTasksUntilTheEndOfTheLimit() {
        TestCluster cluster = new TestCluster().node("n1", 1, 100, "DEFAULT").node("n2", 1, 200, "DEFAULT");
        NodePlan plan = plan(cluster);
        Slot reserved = plan.earliest(cluster.waiting("first", null, 50, TestCluster.tasksWithMemory(1, 150)), 100);
        plan.take(reserved);

        assertThat(reserved.shares()).extracting(TaskShare::position).containsExactly(1);
        assertThat(plan.now(cluster.waiting("short", 2, 100))).isNotNull();
        assertThat(plan.now(cluster.waiting("long", 2, 101))).isNull();
        assertThat(plan.now(cluster.waiting("one", 1, 101)).shares())
                .extracting(TaskShare::position)
                .containsExactly(0);
    }

    @Test
    void shouldStartNoMoreTasksOnAlikeNodesThanTheyHoldTogetherUntilTheEnd() {
        TestCluster cluster = new TestCluster().nodes(4, 1);
        NodePlan plan = plan(cluster);
        plan.take(plan.earliest(cluster.waiting("later", 2, 50), 100));

        assertThat(plan.now(cluster.waiting("wide", 3, 200))).isNull();
        assertThat(plan.now(cluster.waiting("narrow", 2, 200)).shares())
                .extracting(TaskShare::position)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void shouldNameDistinctNodesForALaterStartOnAlikeNodes() {
        TestCluster cluster = new TestCluster().nodes(5, 1).running("a", 1, "n5", 0, 100);
        Job job = cluster.waiting("job", 5, 60);

        Slot slot = plan(cluster).earliest(job, 0);

        assertThat(slot.start()).isEqualTo(100);
        assertThat(slot.shares()).extracting(TaskShare::position).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    @Test
    void shouldFindTheFirstInstantAtWhichSeveralRequirementsFitTogether() {
        TestCluster cluster =
                largeAndSmall(true).running("a", 1, "large", 0, 70).running("b", 1, "small", 0, 40);
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 500), Requirement.ofProcs(1, 1));

        assertThat(plan(cluster).earliest(job, 0)).extracting(Slot::start).isEqualTo(70L);
    }

    private static NodePlan plan(TestCluster cluster, long now, String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.nodeSets().configure(policy);
        plan.reset(now, policy);
        return plan;
    }

    /** Nodes of two processors each that are told apart by what memory they have. */
    private static TestCluster unlike(int count) {
        TestCluster cluster = new TestCluster();
        for (int i = 1; i <= count; i++) {
            cluster.node("n" + i, 2, 100L * i, "DEFAULT");
        }
        return cluster;
    }

    private static Requirement onNodes(int tasks, int nodes) {
        return new Requirement(tasks, TaskResources.ofProcs(1), NodeDemands.NONE, nodes, null, false);
    }

    @Test
    void shouldUseAsManyNodesAsAskedForWhereThatIsExact() {
        TestCluster cluster = unlike(2).running("a", 2, "n2", 1_000, 100);
        Job job = cluster.waiting("job", null, 60, onNodes(2, 2));
        NodePlan plan = plan(cluster, 1_000, "JOBNODEMATCHPOLICY EXACTNODE");

        assertThat(plan.now(job))
                .as("one node holds both tasks, but two are asked for")
                .isNull();
        assertThat(plan.earliest(job, 0).start()).isEqualTo(1_100);
    }

    @Test
    void shouldStartOnExactlyAsManyNodesAsAskedFor() {
        TestCluster cluster = unlike(2);
        Job job = cluster.waiting("job", null, 60, onNodes(4, 2));

        assertThat(plan(cluster, 1_000, "JOBNODEMATCHPOLICY EXACTNODE").now(job).shares())
                .containsExactlyInAnyOrder(new TaskShare(0, 0, 2), new TaskShare(1, 0, 2));
    }

    /** The first node is reserved for 1100 to 1200, with affinity for ann's jobs. */
    @Test
    void shouldDrawAJobToWhatIsReservedForItWhereTheyMeet() {
        TestCluster cluster = unlike(2).reserved("r", "USER==ann", 1_100, 1_200, 2, "n1");
        Job apart = cluster.waiting("apart", 1, 100);
        Job meeting = cluster.waiting("meeting", 1, 101);
        NodePlan plan = plan(cluster, 1_000);

        assertThat(position(plan.now(apart))).isEqualTo(1);
        assertThat(position(plan.now(meeting))).isZero();
        assertThat(position(plan.earliest(apart, 1_001))).isZero();
        assertThat(position(plan.earliest(meeting, 1_199))).isZero();
        assertThat(position(plan.earliest(meeting, 1_200))).isEqualTo(1);
    }

    private static int position(Slot slot) {
        assertThat(slot).isNotNull();
        return slot.shares().get(0).position();
    }

    @Test
    void shouldStartNoMoreTasksThanANodeTakesNow() {
        TestCluster cluster = unlike(2);
        cluster.placement.present = 1;
        Job two = cluster.waiting("two", 2, 60);
        Job three = cluster.waiting("three", 3, 60);
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.now(two).shares()).hasSize(2);
        assertThat(plan.now(three)).isNull();
    }

    @Test
    void shouldStartTasksInWholeGroupsOfThoseANodeTakesNow() {
        TestCluster cluster = unlike(2);
        cluster.placement.present = 1;
        Job pair = cluster.waiting(
                "pair", null, 60, new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, null, 2, false));

        assertThat(plan(cluster, 1_000).now(pair)).isNull();
    }

    @Test
    void shouldPlanNoMoreTasksThanOthersAdmitWhereEachJobChoosesByItself() {
        TestCluster cluster = unlike(2);
        cluster.placement.personal = true;
        cluster.placement.admitted = 1;
        Job two = cluster.waiting("two", 2, 60);
        Job three = cluster.waiting("three", 3, 60);
        Job pair = cluster.waiting(
                "pair", null, 60, new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, null, 2, false));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.earliest(two, 1_100).shares()).hasSize(2);
        assertThat(cluster.placement.admittedFor).isEqualTo(1_100);
        assertThat(plan.earliest(three, 1_100)).isNull();
        assertThat(plan.earliest(pair, 1_100)).isNull();

        cluster.placement.personal = false;
        assertThat(plan.earliest(three, 1_100)).as("nobody is asked").isNotNull();
    }

    @Test
    void shouldCountWhatOtherRequirementsTakeOfWhatANodeAdmits() {
        TestCluster cluster = unlike(2);
        cluster.placement.personal = true;
        cluster.placement.admitted = 1;
        Job parts = cluster.waiting("parts", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        Job more = cluster.waiting("more", null, 60, Requirement.ofProcs(2, 1), Requirement.ofProcs(1, 1));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.earliest(parts, 1_100).shares())
                .extracting(TaskShare::position)
                .doesNotHaveDuplicates();
        assertThat(plan.earliest(more, 1_100)).isNull();
    }

    @Test
    void shouldAskWhetherJobsWithSlotsLetOthersInThatWouldMeetThem() {
        TestCluster cluster = unlike(1);
        cluster.placement.personal = true;
        cluster.placement.besidePlanned = 0;
        Job ahead = cluster.waiting("ahead", 1, 50);
        Job before = cluster.waiting("before", 1, 100);
        Job into = cluster.waiting("into", 1, 101);
        NodePlan plan = plan(cluster, 1_000);
        Slot slot = plan.earliest(ahead, 1_100);
        plan.take(slot);

        assertThat(plan.now(before)).isNotNull();
        assertThat(plan.now(into)).isNull();
        assertThat(cluster.placement.planned).containsExactly(new PlannedShare(ahead, procs(1), 1_100, 1_150));
        assertThat(plan.earliest(into, 1_000)).extracting(Slot::start).isEqualTo(1_150L);
        assertThat(plan.now(ahead)).as("its own slot is not in its way").isNotNull();

        plan.giveBack(slot);
        assertThat(plan.now(into)).isNotNull();
        plan.take(slot);
        plan.reset(1_001, SitePolicy.DEFAULT);
        assertThat(plan.now(into)).as("nothing is left of the last pass").isNotNull();
    }

    @Test
    void shouldNotAskAboutSlotsWhereItDoesNotMatterWhoseTheyAre() {
        TestCluster cluster = unlike(1);
        cluster.placement.besidePlanned = 0;
        NodePlan plan = plan(cluster, 1_000);
        plan.take(plan.earliest(cluster.waiting("ahead", 1, 50), 1_100));

        assertThat(plan.now(cluster.waiting("into", 1, 101))).isNotNull();
    }

    /** Node n1 is busy until 1100, a slot is on it from 1300 on; n2 is free all the time. */
    @Test
    void shouldSayHowLongCandidatesWereAndStayFree() {
        TestCluster cluster = unlike(2).running("a", 1, "n1", 1_000, 100);
        Job ahead = cluster.waiting("ahead", null, 50, Requirement.ofProcs(1, 2));
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(2, 2));
        NodePlan plan = plan(cluster, 1_000);
        Slot later = plan.earliest(ahead, 1_300);
        plan.take(later);
        int held = later.shares().get(0).position();

        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_100);

        Candidates offered = cluster.placement.offered;
        assertThat(cluster.placement.start).isEqualTo(1_100);
        assertThat(cluster.placement.immediate).isFalse();
        assertThat(offered.availableSince(0)).isEqualTo(1_100);
        assertThat(offered.availableSince(1)).isEqualTo(1_000);
        assertThat(offered.slack(held)).isEqualTo(140);
        assertThat(offered.slack(1 - held)).isEqualTo(Candidates.FOREVER);
    }

    /** Node n1 comes free days after n2. */
    @Test
    void shouldOfferCandidatesInTheOrderOfTheirIndexesWhicheverWasFreeFirst() {
        TestCluster cluster = unlike(2).running("a", 2, "n1", 1_000, 500_000);
        Job job = cluster.waiting("job", 4, 60);

        assertThat(plan(cluster, 1_000).earliest(job, 1_000).start()).isEqualTo(501_000);

        assertThat(cluster.placement.offered.position(0)).isZero();
        assertThat(cluster.placement.offered.position(1)).isEqualTo(1);
    }

    @Test
    void shouldSayThatCandidatesForNowAreFreeSinceNow() {
        TestCluster cluster = unlike(2);
        Job ahead = cluster.waiting("ahead", null, 50, Requirement.ofProcs(2, 2));
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 2));
        NodePlan plan = plan(cluster, 1_000);
        plan.take(plan.earliest(ahead, 1_300));
        plan.resume(1_010);

        assertThat(plan.now(job).start()).isEqualTo(1_010);

        Candidates offered = cluster.placement.offered;
        assertThat(cluster.placement.start).isEqualTo(1_010);
        assertThat(cluster.placement.immediate).isTrue();
        assertThat(offered.size()).isEqualTo(2);
        assertThat(offered.availableSince(0)).isEqualTo(1_010);
        assertThat(offered.slack(1)).isEqualTo(230);
    }

    @Test
    void shouldNotCountWhatWasFreeBeforeNow() {
        TestCluster cluster = unlike(1);
        Job job = cluster.waiting("job", 2, 60);
        NodePlan plan = plan(cluster, 1_000);
        plan.resume(1_010);

        plan.earliest(job, 1_050);

        assertThat(cluster.placement.offered.availableSince(0)).isEqualTo(1_010);
    }

    /** Its second requirement lies beside the first, though to others the node is taken. */
    @Test
    void shouldPutRequirementsOnOneNodeThatTheirJobHasForItself() {
        TestCluster cluster = new TestCluster().node("n1", 3, 0, "DEFAULT");
        Job fits = alone(cluster, "fits", Requirement.ofProcs(1, 1), Requirement.ofProcs(2, 1));
        Job many = alone(cluster, "many", Requirement.ofProcs(1, 1), Requirement.ofProcs(3, 1));
        Job other = cluster.waiting("other", 1, 60);
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.now(fits).shares()).containsExactly(new TaskShare(0, 0, 1), new TaskShare(0, 1, 2));
        assertThat(plan.earliest(fits, 1_100).shares()).containsExactly(new TaskShare(0, 0, 1), new TaskShare(0, 1, 2));
        assertThat(plan.now(many)).isNull();
        assertThat(plan.earliest(many, 1_100)).isNull();
        assertThat(plan.now(other)).as("nothing is held after the search").isNotNull();
    }

    private static Job alone(TestCluster cluster, String id, Requirement... requirements) {
        Job job = TestJob.waiting(
                id,
                report -> report.setNodeAccess("SINGLEJOB")
                        .setRequirements(Arrays.stream(requirements)
                                .map(Requirement::toRecord)
                                .toList()));
        cluster.jobs.put(job);
        return job;
    }

    /** The requirements fit one beside the other from 1200 on; each by itself finds its node all the time. */
    @Test
    void shouldLookAgainWhenANodeChangesThatHasRoomForEachRequirement() {
        TestCluster cluster = new TestCluster().node("n1", 3, 1000, "DEFAULT").running("a", 1, "n1", 1_000, 200);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(2, 1), TestCluster.tasksWithMemory(1, 10));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_200);
    }

    /**
     * The first requirement lies on n1 or n2, the second on n1 or n3, which is taken. Ann's job is drawn to n1 while it
     * meets the reservation there, from 1100 to 1200.
     */
    @Test
    void shouldLookAgainWhenAReservationNoLongerDrawsTheJob() {
        TestCluster cluster = new TestCluster()
                .node("n1", 1, node -> node.setFeatures(List.of("x", "y")))
                .node("n2", 1, node -> node.setFeatures(List.of("x")))
                .node("n3", 1, node -> node.setFeatures(List.of("y")))
                .running("a", 1, "n3", 1_000, 5_000)
                .reserved("r", "USER==ann", 1_100, 1_200, 1, "n1");
        Job job = cluster.waiting("job", null, 60, featured("x"), featured("y"));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_000);
        assertThat(plan.earliest(job, 1_040).start()).isEqualTo(1_040);
        assertThat(plan.earliest(job, 1_045).start()).isEqualTo(1_200);
        assertThat(plan.earliest(job, 1_045).shares()).containsExactly(new TaskShare(1, 0, 1), new TaskShare(0, 1, 1));
    }

    private static Requirement featured(String feature) {
        return new Requirement(
                1,
                TaskResources.ofProcs(1),
                new NodeDemands(List.of(feature), null, null, null, List.of()),
                null,
                null,
                false);
    }

    private static Requirement apart(int tasks) {
        return new Requirement(
                tasks,
                TaskResources.ofProcs(1),
                new NodeDemands(List.of(), null, null, null, List.of(), List.of(), List.of(), List.of(), true),
                null,
                null,
                false);
    }

    @Test
    void shouldPutRequirementsThatLieApartOnNodesOfTheirOwnNowAndLater() {
        TestCluster cluster = unlike(2);
        Job apart = cluster.waiting("apart", null, 60, apart(1), Requirement.ofProcs(1, 1));
        Job beside = cluster.waiting("beside", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.now(apart).shares()).containsExactly(new TaskShare(1, 0, 1), new TaskShare(0, 1, 1));
        assertThat(plan.earliest(apart, 1_100).shares())
                .containsExactly(new TaskShare(1, 0, 1), new TaskShare(0, 1, 1));
        assertThat(plan.now(beside).shares()).containsExactly(new TaskShare(1, 0, 1), new TaskShare(1, 1, 1));
        assertThat(plan.earliest(beside, 1_100).shares())
                .containsExactly(new TaskShare(1, 0, 1), new TaskShare(1, 1, 1));
    }

    /** Whichever of the two lies apart, and though the job has the whole of its nodes. */
    @Test
    void shouldNotShareANodeThatHoldsAllOfAJobWhoseRequirementsLieApart() {
        TestCluster cluster = new TestCluster().node("n1", 4, 0, "DEFAULT");
        NodePlan plan = plan(cluster, 1_000);
        for (Job job : List.of(
                cluster.waiting("first", null, 60, apart(1), Requirement.ofProcs(1, 1)),
                cluster.waiting("second", null, 60, Requirement.ofProcs(1, 1), apart(1)),
                alone(cluster, "alone", Requirement.ofProcs(1, 1), apart(1)))) {
            assertThat(plan.now(job)).as(job.id()).isNull();
            assertThat(plan.earliest(job, 1_100)).as(job.id()).isNull();
        }
        assertThat(plan.now(cluster.waiting("one", null, 60, apart(2)))).isNotNull();
    }

    @Test
    void shouldWaitForASecondNodeThoughTheFirstHasRoomForAll() {
        TestCluster cluster = unlike(2).running("a", 2, "n2", 1_000, 100);
        Job job = cluster.waiting("job", null, 60, apart(1), apart(1));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_100);
    }

    /** Few nodes have the memory for the last; the first two would take them, as they are the fullest. */
    @Test
    void shouldPlaceTheScarceAndTheLargeRequirementFirstWhereTheyLieApart() {
        TestCluster cluster = new TestCluster()
                .node("n1", 1, 100, "DEFAULT")
                .node("n2", 1, 500, "DEFAULT")
                .node("n3", 3, 100, "DEFAULT");
        Job scarce = cluster.waiting("scarce", null, 60, apart(1), TestCluster.tasksWithMemory(1, 500));
        Job large = cluster.waiting("large", null, 60, apart(1), apart(3));
        NodePlan plan = plan(cluster, 1_000);

        plan.take(plan.earliest(cluster.waiting("narrow", 1, 60, at("n1")), 1_000));
        assertThat(plan.now(scarce).shares()).contains(new TaskShare(1, 1, 1));
        assertThat(plan.now(large).shares()).containsExactly(new TaskShare(1, 0, 1), new TaskShare(2, 1, 3));
        assertThat(plan.earliest(large, 1_000).shares()).contains(new TaskShare(2, 1, 3));
    }

    private static JobOptions at(String node) {
        return new JobOptions(List.of(), List.of(node), null, null, null, null, null, List.of(), Job.NONE, null);
    }

    /** Alike nodes are followed one by one as long as such a job waits. */
    @Test
    void shouldKeepRequirementsApartOnAlikeNodes() {
        TestCluster cluster = new TestCluster().nodes(3, 4).running("a", 4, "n1", 1_000, 100);
        Job two = cluster.waiting("two", null, 60, apart(1), apart(1));
        Job three = cluster.waiting("three", null, 60, apart(1), apart(1), apart(1));
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.namesLate()).isFalse();
        assertThat(plan.now(two).shares()).extracting(TaskShare::position).doesNotHaveDuplicates();
        assertThat(plan.now(three)).isNull();
        assertThat(plan.earliest(three, 1_000).start()).isEqualTo(1_100);
        assertThat(plan.earliest(three, 1_000).shares())
                .extracting(TaskShare::position)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    /** The alike nodes n1 and n2 have one processor left until the end of the job, the other two. */
    @Test
    void shouldTakeWhatAlikeNodesHaveLeftBesideAnother() {
        TestCluster cluster = new TestCluster().nodes(2, 1).node("odd", 2, 0, "DEFAULT");
        NodePlan plan = plan(cluster, 1_000);
        Job ahead = cluster.waiting("ahead", 1, 50);
        Job three = cluster.waiting("three", 3, 200);
        Job four = cluster.waiting("four", 4, 200);
        plan.take(plan.reserved(ahead, Reservation.of(ahead, 1_100, List.of(new TaskPlacement("n1", 0, 1)), 1)));

        assertThat(plan.now(three).shares()).hasSize(2);
        assertThat(plan.now(three).shares().stream().mapToInt(TaskShare::tasks).sum())
                .isEqualTo(3);
        assertThat(plan.now(four)).isNull();
    }

    /** Positions n1 to n4, of two processors each; the bucket holds five tasks until the slot at 1100. */
    @Test
    void shouldShareOutAmongAlikeNodesNoMoreThanTheyHoldTogether() {
        TestCluster cluster = new TestCluster().nodes(4, 2);
        NodePlan plan = plan(cluster, 1_000);
        plan.take(plan.earliest(cluster.waiting("later", 3, 50), 1_100));

        assertThat(plan.now(cluster.waiting("six", 6, 200))).isNull();
        Slot five = plan.now(cluster.waiting("five", 5, 200));
        assertThat(five.shares().stream().mapToInt(TaskShare::tasks)).containsExactlyInAnyOrder(2, 2, 1);
        assertThat(plan.now(cluster.waiting("eight", 8, 100))).isNotNull();
    }

    @Test
    void shouldPutATaskOnEachProcessorOfAlikeNodesLater() {
        TestCluster cluster = new TestCluster().nodes(3, 2).node("odd", 1, 0, "DEFAULT");
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.earliest(cluster.waiting("five", 5, 60), 1_100).shares())
                .extracting(TaskShare::position, TaskShare::tasks)
                .containsExactlyInAnyOrder(tuple(3, 1), tuple(2, 2), tuple(1, 2));
        assertThat(plan.earliest(cluster.waiting("seven", 7, 60), 1_100).shares())
                .extracting(TaskShare::position, TaskShare::tasks)
                .containsExactlyInAnyOrder(tuple(0, 2), tuple(1, 2), tuple(2, 2), tuple(3, 1));
    }

    private static Capacity procs(int procs) {
        return new Capacity(procs, 0, 0, 0);
    }
}
