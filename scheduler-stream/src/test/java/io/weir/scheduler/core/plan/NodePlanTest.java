package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.schemas.NodeState;
import io.weir.schemas.TaskPlacement;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodePlanTest extends ResourcePlanContract {
    @Override
    ResourcePlan plan(TestCluster cluster) {
        return new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
    }

    private ResourcePlan reset(TestCluster cluster) {
        ResourcePlan plan = plan(cluster);
        plan.reset(0, SitePolicy.DEFAULT);
        return plan;
    }

    /** Two small nodes at positions 0 and 1, a large one at 2. */
    private static TestCluster unlikeNodes() {
        return new TestCluster()
                .node("small1", 1, 100, "DEFAULT")
                .node("small2", 1, 100, "DEFAULT")
                .node("large", 2, 1000, "DEFAULT");
    }

    @Test
    void shouldNameTheNodeThatHasWhatATaskTakes() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 500));

        assertThat(reset(cluster).now(job)).extracting(Slot::shares).isEqualTo(List.of(new TaskShare(2, 0, 1)));
    }

    @Test
    void shouldLeaveFreeProcessorsAloneWhoseNodeHasNoMemoryLeft() {
        TestCluster cluster = unlikeNodes();
        Job first = cluster.waiting("first", null, 100, TestCluster.tasksWithMemory(1, 800));
        Job second = cluster.waiting("second", null, 60, TestCluster.tasksWithMemory(1, 300));
        ResourcePlan plan = reset(cluster);

        plan.take(plan.now(first));

        assertThat(plan.now(second)).isNull();
        assertThat(plan.earliest(second, 0)).extracting(Slot::start).isEqualTo(100L);
    }

    @Test
    void shouldPlaceUnlikeRequirementsOfAJobAtTheSameInstant() {
        TestCluster cluster = unlikeNodes().running("a", 1, "small1", 0, 50);
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(2, 400), Requirement.ofProcs(2, 1));
        ResourcePlan plan = reset(cluster);

        Slot slot = plan.earliest(job, 0);

        assertThat(slot).isNotNull();
        assertThat(slot.start()).isEqualTo(50);
        assertThat(slot.shares())
                .containsExactlyInAnyOrder(new TaskShare(2, 0, 2), new TaskShare(0, 1, 1), new TaskShare(1, 1, 1));
    }

    @Test
    void shouldNotSpreadAJobOverPartitions() {
        TestCluster cluster = new TestCluster().node("a1", 2, 0, "a").node("b1", 2, 0, "b");
        Job job = cluster.waiting("job", 3, 60);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.possible(job)).isFalse();
        assertThat(plan.earliest(job, 0)).isNull();
    }

    @Test
    void shouldKeepATaskOfManyProcessorsOnOneNode() {
        TestCluster cluster =
                new TestCluster().nodes(2, 4).running("a", 2, "n1", 0, 100).running("b", 2, "n2", 0, 200);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 3));

        assertThat(reset(cluster).earliest(job, 0)).extracting(Slot::start).isEqualTo(100L);
    }

    @Test
    void shouldNameNodesOfLikeSlotsSoThatNoProcessorIsTakenTwice() {
        TestCluster cluster = new TestCluster().nodes(4, 1).running("a", 1, "n4", 0, 100);
        Job first = cluster.waiting("first", 3, 100);
        Job second = cluster.waiting("second", 2, 100);
        ResourcePlan plan = reset(cluster);
        SortedMap<String, Slot> slots = new TreeMap<>();
        for (Job job : List.of(first, second)) {
            Slot slot = plan.earliest(job, 100);
            plan.take(slot);
            slots.put(job.id(), slot);
        }

        SortedMap<String, Slot> named = plan.named(slots, List.of());

        assertThat(plan.namesLate()).isTrue();
        assertThat(named.get("first").shares()).extracting(TaskShare::position).containsExactly(3, 2, 1);
        assertThat(named.get("second").start()).isEqualTo(200);
        assertThat(named.get("second").shares()).extracting(TaskShare::position).containsExactly(3, 2);
    }

    @Test
    void shouldHoldSlotsThatMayNotMoveWhileItNamesTheOthers() {
        TestCluster cluster = new TestCluster().nodes(2, 1);
        Job fixed = cluster.waiting("fixed", 1, 100);
        Job other = cluster.waiting("other", 1, 50);
        ResourcePlan plan = reset(cluster);
        Slot kept = plan.now(fixed);
        plan.take(kept);
        Slot later = plan.earliest(other, 10);
        plan.take(later);
        int taken = kept.shares().get(0).position();

        SortedMap<String, Slot> named = plan.named(new TreeMap<>(java.util.Map.of("other", later)), List.of(kept));

        assertThat(named.get("other").shares()).containsExactly(new TaskShare(1 - taken, 0, 1));
    }

    @Test
    void shouldStartAJobWhereReservationsLeaveItRoomForLongEnough() {
        TestCluster cluster = new TestCluster().nodes(2, 2).reserved("r", "USER==bob", 100, 200, 2, "n1", "n2");
        Job ahead = cluster.waiting("ahead", 4, 100);
        Job later = cluster.waiting("later", 4, 101);
        ResourcePlan plan = reset(cluster);

        assertThat(plan.earliest(ahead, 0).start()).isZero();
        assertThat(plan.earliest(later, 0).start()).isEqualTo(200);
    }

    @Test
    void shouldStartAJobOnNodesThatReservationsDoNotKeepFromIt() {
        TestCluster cluster = new TestCluster().nodes(2, 2).reserved("r", "USER==bob", 0, 200, 2, "n2");
        Job job = cluster.waiting("job", 2, 100);

        assertThat(reset(cluster).now(job).shares())
                .extracting(TaskShare::position)
                .containsExactly(0);
    }

    private static NodePlan plan(TestCluster cluster, long now, String... lines) {
        SitePolicy policy = TestCluster.policy(lines);
        cluster.nodes.configure(policy);
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        plan.nodeSets().configure(policy);
        plan.reset(now, policy);
        return plan;
    }

    /** Partitions a with four processors and b with two. */
    private static TestCluster partitions() {
        return new TestCluster().node("a1", 4, 0, "a").node("b1", 2, 0, "b");
    }

    private static int position(@Nullable Slot slot) {
        assertThat(slot).isNotNull();
        return slot.shares().get(0).position();
    }

    @Test
    void shouldStartAJobInThePartitionThatThePolicyChooses() {
        TestCluster cluster = partitions();
        Job narrow = cluster.waiting("narrow", 1, 60);
        Job wide = cluster.waiting("wide", 3, 60);

        assertThat(position(plan(cluster, 0).now(narrow))).isZero();
        narrow.planMark(0);
        NodePlan bestFit = plan(cluster, 0, "PARALLOCATIONPOLICY BestFit");
        assertThat(position(bestFit.now(narrow))).as("fewest free").isEqualTo(1);
        assertThat(position(bestFit.now(wide))).as("the only one").isZero();
    }

    @Test
    void shouldStartAJobInALaterPartitionWhereTheFirstHasNoRoom() {
        TestCluster cluster = partitions().running("r", 4, "a1", 0, 100);
        Job job = cluster.waiting("job", 1, 60);

        assertThat(position(plan(cluster, 0).now(job))).isEqualTo(1);
    }

    @Test
    void shouldPlanAJobInThePartitionThatIsFreeFirst() {
        TestCluster cluster = partitions().running("r", 4, "a1", 0, 100).running("s", 2, "b1", 0, 99);
        Job narrow = cluster.waiting("narrow", 1, 60);
        Job wide = cluster.waiting("wide", 3, 60);
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.earliest(narrow, 0).start()).isEqualTo(99);
        assertThat(position(plan.earliest(narrow, 0))).isEqualTo(1);
        assertThat(plan.earliest(narrow, 100).start()).isEqualTo(100);
        assertThat(position(plan.earliest(narrow, 100)))
                .as("of equal ones the first")
                .isZero();
        assertThat(plan.earliest(wide, 0).start()).isEqualTo(100);
    }

    @Test
    void shouldNotTakeAStartThatWasAskedForForTheEarliestThereIs() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", 1, 60);
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.earliest(job, 500).start()).isEqualTo(500);
        assertThat(plan.earliest(job, 0).start()).isZero();
        assertThat(plan.now(job)).isNotNull();
    }

    /** Nodes with room that take nothing just now for a reason of their own. */
    @Test
    void shouldPlanForTheNextSecondWhatPlacementRefusesNow() {
        TestCluster cluster = unlikeNodes();
        cluster.placement.present = 0;
        Job job = cluster.waiting("job", 1, 60);
        NodePlan plan = plan(cluster, 1_000);
        plan.resume(1_010);

        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_011);
        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 1_000).start()).isEqualTo(1_011);
    }

    @Test
    void shouldPlanNothingBeyondWhatItCounts() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", 1, 60);
        NodePlan plan = plan(cluster, 1_000);

        assertThat(plan.earliest(job, 1_000L + Integer.MAX_VALUE)).isNull();
        assertThat(plan.stale(1_000)).isFalse();
        assertThat(plan.stale(1_000L + Integer.MAX_VALUE)).isTrue();
    }

    @Test
    void shouldBeStaleWhenAJobComesThatTellsNodesApart() {
        TestCluster cluster = new TestCluster().nodes(3, 2);
        NodePlan plan = plan(cluster, 0);
        assertThat(plan.stale(0)).isFalse();
        assertThat(plan.namesLate()).isTrue();

        cluster.waiting("job", null, 60, Requirement.ofProcs(1, 2));

        assertThat(plan.stale(0)).isTrue();
        plan.reset(0, SitePolicy.DEFAULT);
        assertThat(plan.namesLate()).isFalse();
    }

    /** One task of a processor on each of these nodes, from {@code start} on. */
    private static Reservation reservation(Job job, long start, String... nodes) {
        return Reservation.of(
                job,
                start,
                Arrays.stream(nodes).map(node -> new TaskPlacement(node, 0, 1)).toList(),
                1);
    }

    /** All of these ask for two processors, as the reservation has. */
    @Test
    void shouldNotKeepAReservationForAJobThatAsksForSomethingElseByNow() {
        TestCluster cluster = unlikeNodes();
        Job one = cluster.waiting("one", null, 60, Requirement.ofProcs(1, 2));
        Job large = cluster.waiting("large", null, 60, TestCluster.tasksWithMemory(2, 500));
        Job two = cluster.waiting("two", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(1, 1));
        NodeDemands apart =
                new NodeDemands(List.of(), null, null, null, List.of(), List.of(), List.of(), List.of(), true);
        Job divided = cluster.waiting(
                "divided",
                null,
                60,
                Requirement.ofProcs(1, 1),
                new Requirement(1, TaskResources.ofProcs(1), apart, null, null, false));
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.reserved(one, reservation(one, 10, "small1", "large"))).isNull();
        assertThat(plan.reserved(large, reservation(large, 10, "small1", "large")))
                .isNull();
        assertThat(plan.reserved(two, reservation(two, 10, "small1", "large"))).isNull();
        assertThat(plan.reserved(large, placed(large, "small1", "large"))).isNull();
        assertThat(plan.reserved(two, placed(two, "small1", "large"))).isNotNull();
        assertThat(plan.reserved(two, placed(two, "large", "large"))).isNotNull();
        assertThat(plan.reserved(divided, placed(divided, "small1", "large"))).isNotNull();
        assertThat(plan.reserved(divided, placed(divided, "large", "large"))).isNull();
    }

    /** A task of each of two requirements on these nodes. */
    private static Reservation placed(Job job, String first, String second) {
        return Reservation.of(job, 10, List.of(new TaskPlacement(first, 0, 1), new TaskPlacement(second, 1, 1)), 1);
    }

    @Test
    void shouldKeepAReservationOnItsNodes() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", 2, 60);
        NodePlan plan = plan(cluster, 0);

        Slot slot = plan.reserved(job, reservation(job, 10, "small2", "large"));

        assertThat(slot.start()).isEqualTo(10);
        assertThat(slot.shares()).containsExactly(new TaskShare(1, 0, 1), new TaskShare(2, 0, 1));
    }

    @Test
    void shouldKeepNoReservationOnNodesThatAreGoneOrNotNamed() {
        TestCluster cluster = unlikeNodes().node("down", 1, node -> node.setState(NodeState.DOWN));
        Job two = cluster.waiting("job", 2, 60);
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.reserved(two, reservation(two, 10, "small1", "gone"))).isNull();
        assertThat(plan.reserved(two, reservation(two, 10, "small1", "down"))).isNull();
        assertThat(plan.reserved(two, reservation(two, 10))).isNull();
    }

    /** Bob's from 100 to 200, a processor of the large node and all of small2. */
    @Test
    void shouldKeepNoReservationWhereNodesAreReservedForOthers() {
        TestCluster cluster = unlikeNodes()
                .reserved("r", "USER==bob", 100, 200, 1, "large")
                .reserved("s", "USER==bob", 100, 200, 1, "small2");
        Job job = cluster.waiting("job", 2, 60);
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.reserved(job, reservation(job, 110, "small1", "large")))
                .as("one is left")
                .isNotNull();
        assertThat(plan.reserved(job, reservation(job, 110, "large", "small2"))).isNull();
        assertThat(plan.reserved(job, reservation(job, 40, "large", "small2"))).isNotNull();
        assertThat(plan.reserved(job, reservation(job, 41, "large", "small2"))).isNull();
        assertThat(plan.reserved(job, reservation(job, 200, "large", "small2"))).isNotNull();
    }

    @Test
    void shouldMoveAReservationThatBeginsNowToAlikeNodesThatAreFree() {
        TestCluster cluster = new TestCluster().nodes(3, 1).running("r", 1, "n1", 0, 500);
        Job job = cluster.waiting("job", 1, 60);
        Job two = cluster.waiting("two", 3, 60);
        NodePlan plan = plan(cluster, 100);

        assertThat(plan.reserved(job, reservation(job, 100, "n1")).shares()).containsExactly(new TaskShare(2, 0, 1));
        assertThat(plan.reserved(job, reservation(job, 101, "n1")).shares()).containsExactly(new TaskShare(0, 0, 1));
        assertThat(plan.reserved(two, reservation(two, 100, "n1", "n2", "n3")))
                .as("two are free")
                .isNull();
    }

    @Test
    void shouldCallAJobRestlessThatWouldBePlacedOtherwiseOnceOthersTook() {
        TestCluster cluster = unlikeNodes();
        Job plain = cluster.waiting("plain", 1, 60);
        Job exact = cluster.waiting("exact", null, 60, perNode(2, false));
        Job atLeast = cluster.waiting("least", null, 60, perNode(2, true));
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.restless(plain, true)).isFalse();
        assertThat(plan.restless(plain, false)).isFalse();
        assertThat(plan.restless(exact, true)).isFalse();
        assertThat(plan.restless(atLeast, true)).isTrue();
        assertThat(plan.restless(atLeast, false)).as("it has none").isFalse();
        cluster.placement.steady = false;
        assertThat(plan.restless(plain, true)).isTrue();
        assertThat(plan.restless(plain, false)).isFalse();
    }

    private static Requirement perNode(int tasks, boolean atLeast) {
        return new Requirement(tasks, TaskResources.ofProcs(1), NodeDemands.NONE, null, tasks, atLeast);
    }

    private static final String[] SETS = {
        "NODESETPOLICY ONEOF", "NODESETATTRIBUTE FEATURE", "NODESETLIST left right", "NODESETISOPTIONAL TRUE"
    };

    private static String[] sets(String... more) {
        return Stream.concat(Arrays.stream(SETS), Arrays.stream(more)).toArray(String[]::new);
    }

    /** Two nodes of two processors in each of the sets left and right; one of left is busy until 20, one of right until 50. */
    private static TestCluster twoSets() {
        TestCluster cluster = new TestCluster();
        for (String id : List.of("l1", "l2", "r1", "r2")) {
            String set = id.startsWith("l") ? "left" : "right";
            cluster.node(id, 2, node -> node.setFeatures(List.of(set)));
        }
        return cluster.running("a", 2, "l1", 0, 20).running("b", 2, "r1", 0, 50);
    }

    @Test
    void shouldCallAJobRestlessThatWaitsForASet() {
        TestCluster cluster = twoSets();
        Job job = cluster.waiting("job", 4, 60);

        assertThat(plan(cluster, 0, sets("NODESETDELAY 0:30")).restless(job, false))
                .isTrue();
        job.planMark(0);
        assertThat(plan(cluster, 0, sets()).restless(job, false))
                .as("it does not wait")
                .isFalse();
        job.planMark(0);
        assertThat(plan(cluster, 0, sets("NODESETDELAY 0:30", "NODESETISOPTIONAL FALSE"))
                        .restless(job, false))
                .as("it may not do without")
                .isFalse();
    }

    @Test
    void shouldCallAJobRestlessWhoseSetMayBeChosenOtherwise() {
        TestCluster cluster = twoSets();
        Job job = cluster.waiting("job", 4, 60);

        assertThat(plan(cluster, 0, sets("NODESETPRIORITYTYPE FIRSTFIT")).restless(job, true))
                .isFalse();
        job.planMark(0);
        assertThat(plan(cluster, 0, sets("NODESETPRIORITYTYPE BESTFIT")).restless(job, true))
                .isTrue();
    }

    @Test
    void shouldWaitForASetAsLongAsThePolicySays() {
        TestCluster cluster = twoSets();
        Job job = cluster.waiting("job", 4, 60);
        NodePlan patient = plan(cluster, 0, sets("NODESETDELAY 0:20"));

        assertThat(patient.now(job)).isNull();
        assertThat(patient.earliest(job, 0).start()).isEqualTo(20);
        assertThat(patient.earliest(job, 0).shares())
                .extracting(TaskShare::position)
                .containsExactlyInAnyOrder(0, 1);

        job.planMark(0);
        NodePlan hasty = plan(cluster, 0, sets("NODESETDELAY 0:19"));
        assertThat(hasty.now(job).shares()).extracting(TaskShare::position).containsExactlyInAnyOrder(1, 3);
        assertThat(hasty.earliest(job, 0).start()).isZero();
    }

    @Test
    void shouldStartOnlyInsideASetWhereThatIsAMust() {
        TestCluster cluster = twoSets();
        Job wide = cluster.waiting("wide", 4, 60);
        Job narrow = cluster.waiting("narrow", 2, 60);
        Job tooWide = cluster.waiting("tooWide", 5, 60);
        NodePlan plan = plan(cluster, 0, sets("NODESETISOPTIONAL FALSE"));

        assertThat(plan.now(wide)).isNull();
        assertThat(plan.earliest(wide, 0).start()).isEqualTo(20);
        assertThat(plan.now(narrow)).isNotNull();
        assertThat(plan.forbiddenBySets(wide)).isFalse();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
    }

    @Test
    void shouldRememberOfAJobInSetsThatItIsOutOfReach() {
        TestCluster cluster = twoSets();
        Job wide = cluster.waiting("wide", 4, 60);
        Job narrow = cluster.waiting("narrow", 2, 60);
        NodePlan plan = plan(cluster, 0, sets("NODESETISOPTIONAL FALSE"));

        plan.now(wide);

        assertThat(outOfReach(cluster, plan, wide)).isTrue();
        assertThat(outOfReach(cluster, plan, narrow)).isFalse();
    }

    private static boolean outOfReach(TestCluster cluster, NodePlan plan, Job job) {
        QueueColumns columns = cluster.jobs.queue().columns();
        int row = cluster.jobs.queue().row(cluster.jobs.queue().position(job));
        plan.fillColumns(job, columns, row);
        return plan.outOfReach(columns, row);
    }

    /** What is known of a job says as much of wider and longer ones. */
    @Test
    void shouldRememberOfLikeJobsWhatOneTaught() {
        TestCluster cluster = unlikeNodes().running("r", 1, "large", 0, 100);
        Job four = cluster.waiting("four", 4, 60);
        Job longer = cluster.waiting("longer", 4, 90);
        Job three = cluster.waiting("three", 3, 60);
        Job shorter = cluster.waiting("shorter", 4, 50);
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.now(four)).isNull();

        assertThat(outOfReach(cluster, plan, four)).isTrue();
        assertThat(outOfReach(cluster, plan, longer)).isTrue();
        assertThat(outOfReach(cluster, plan, three)).isFalse();
        assertThat(outOfReach(cluster, plan, shorter)).isFalse();
    }

    @Test
    void shouldReachAJobAgainThatMayStartLater() {
        TestCluster cluster = unlikeNodes().running("r", 1, "large", 0, 100);
        Job four = cluster.waiting("four", 4, 60);
        NodePlan plan = plan(cluster, 0);
        assertThat(plan.earliest(four, 0).start()).isEqualTo(100);
        assertThat(outOfReach(cluster, plan, four)).isTrue();

        plan.resume(100);

        assertThat(plan.outOfReach(
                        cluster.jobs.queue().columns(), cluster.jobs.queue().row(0)))
                .isFalse();
    }

    @Test
    void shouldRememberNothingOfAJobOfSeveralRequirements() {
        TestCluster cluster = unlikeNodes().running("r", 2, "large", 0, 100);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(2, 1), Requirement.ofProcs(1, 1));
        NodePlan plan = plan(cluster, 0);

        assertThat(plan.now(job)).isNull();

        assertThat(outOfReach(cluster, plan, job)).isFalse();
    }

    @Test
    void shouldForgetWhatItRememberedWhenNodesOrReservationsChange() {
        TestCluster cluster = unlikeNodes().running("r", 1, "large", 0, 100);
        Job four = cluster.waiting("four", 4, 60);
        NodePlan plan = plan(cluster, 0);
        plan.now(four);
        assertThat(outOfReach(cluster, plan, four)).isTrue();
        QueueColumns columns = cluster.jobs.queue().columns();
        int row = cluster.jobs.queue().row(0);

        cluster.reserved("r", "USER==bob", 500, 600, 1, "large");
        plan.reset(1, SitePolicy.DEFAULT);
        assertThat(plan.outOfReach(columns, row)).as("access unknown").isFalse();

        plan.now(four);
        assertThat(outOfReach(cluster, plan, four)).isTrue();
        cluster.node("more", 9, 0, "DEFAULT");
        plan.reset(2, SitePolicy.DEFAULT);
        assertThat(plan.outOfReach(columns, row)).as("other nodes").isFalse();
    }

    @Test
    void shouldKnowWhetherJobsHaveToStayInsideReservations() {
        TestCluster cluster = unlikeNodes().reserved("r", "USER==ann", 0, 600, 1, "large");
        Job outside = cluster.waiting("outside", 1, 60);
        NodePlan plan = plan(cluster, 0);
        plan.now(outside);
        assertThat(plan.confines()).isFalse();

        Job inside = TestJob.waiting("inside", report -> report.setReservation("r"));
        cluster.jobs.put(inside);
        assertThat(position(plan.now(inside))).isEqualTo(2);

        assertThat(plan.confines()).isTrue();
    }

    @Test
    void shouldBeExhaustedOnlyWhenNoNodeIsOpen() {
        TestCluster cluster = unlikeNodes().running("a", 1, "small1", 0, 100).running("b", 2, "large", 0, 100);
        Job job = cluster.waiting("job", 1, 60);
        NodePlan plan = plan(cluster, 0);
        assertThat(plan.openNodes()).isEqualTo(1);
        assertThat(plan.size()).isEqualTo(3);
        assertThat(plan.exhausted()).isFalse();

        plan.take(plan.now(job));

        assertThat(plan.openNodes()).isZero();
        assertThat(plan.exhausted()).isTrue();
    }

    @Test
    void shouldMeasureAJobByWhatIsScarcest() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 600));

        assertThat(plan(cluster, 0).milliEquivalents(job))
                .as("half of 1200 MB, of 4 processors")
                .isEqualTo(2000);
    }

    @Test
    void shouldForgetSlotsWhenItStartsOver() {
        TestCluster cluster = unlikeNodes();
        Job all = cluster.waiting("all", 4, 60);
        NodePlan plan = plan(cluster, 0);
        plan.take(plan.now(all));
        assertThat(plan.now(all)).isNull();

        plan.reset(1, SitePolicy.DEFAULT);

        assertThat(plan.now(all).start()).isEqualTo(1);
    }

    @Test
    void shouldSeeReservationsThatCameOnceItStartsOver() {
        TestCluster cluster = unlikeNodes();
        Job job = cluster.waiting("job", 4, 60);
        NodePlan plan = plan(cluster, 0);
        assertThat(plan.now(job)).isNotNull();

        cluster.reserved("r", "USER==bob", 30, 50, 1, "large");
        plan.reset(1, SitePolicy.DEFAULT);

        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 1).start()).isEqualTo(50);
    }

    @Test
    void shouldTakeASetThatIsFreeInTheLastSecondItWaitsFor() {
        TestCluster cluster = twoSets();
        Job job = cluster.waiting("job", 4, 60);
        NodePlan plan = plan(cluster, 10, sets("NODESETDELAY 0:10"));

        assertThat(plan.now(job)).isNull();
        assertThat(plan.earliest(job, 10).start()).isEqualTo(20);

        plan.reset(5, TestCluster.policy(sets("NODESETDELAY 0:10")));
        assertThat(plan.now(job)).as("in eleven seconds and more").isNotNull();
    }
}
