package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search for a start on nodes that are followed one by one; instants are seconds after the start of the plan. */
class StartSearchTest {
    /** When the plans of searches that have limits begin, epoch seconds. */
    private static final long NOW = 1_000;

    /** The parts of a plan that a search needs. */
    private static final class Harness {
        final PlanKeyTable keys;
        final NodeAvailabilityPlan availability;
        final AccessViews views;
        final StartSearch search;

        Harness(TestCluster cluster) {
            this(cluster, SitePolicy.DEFAULT);
        }

        Harness(TestCluster cluster, SitePolicy policy) {
            this(cluster, policy, 0, new SpreadEffort(SpreadEffort.MOST));
        }

        Harness(TestCluster cluster, SitePolicy policy, long now, SpreadEffort effort) {
            NodeSets sets = new NodeSets(cluster.nodes);
            sets.configure(policy);
            keys = new PlanKeyTable(cluster.nodes, cluster.placement, sets);
            NodeBuckets buckets = new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
            availability = new NodeAvailabilityPlan(cluster.jobs, cluster.nodes, cluster.placement, keys, buckets);
            NodeSelector selector = new NodeSelector(
                    cluster.jobs,
                    cluster.nodes,
                    availability,
                    cluster.placement,
                    sets,
                    cluster.access,
                    new PlannedShares(cluster.nodes));
            views = new AccessViews(cluster.access, cluster.nodes, cluster.placement);
            search = new StartSearch(availability, selector, cluster.nodes, sets, cluster.placement, effort);
            views.reset(policy);
            keys.refresh(policy);
            availability.reset(now, now, policy);
            effort.begin(cluster.jobs.active(), true);
        }

        long search(Job job, int first, long before) {
            return search(job, SetUse.NONE, first, before);
        }

        long search(Job job, SetUse use, int first, long before) {
            availability.look(views.of(job, availability));
            PlanKey key = keys.of(job);
            return search.search(job, key, use, key.parts.get(0), first, before);
        }
    }

    /** Node n1 with memory is busy until 100, n2 without until 200; n3 with memory is idle. */
    private static TestCluster cluster() {
        return new TestCluster()
                .node("n1", 2, 100, "DEFAULT")
                .node("n2", 2, 10, "DEFAULT")
                .node("n3", 2, 100, "DEFAULT")
                .running("a", 2, "n1", 0, 100)
                .running("b", 2, "n2", 0, 200);
    }

    @Test
    void shouldStopAtTheFirstInstantWithEnoughTasks() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(4, 50));
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(harness.search.found()).extracting(TaskShare::position).containsExactlyInAnyOrder(0, 2);
    }

    @Test
    void shouldNotLookBeforeTheInstantAskedFor() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(1, 50));

        assertThat(new Harness(cluster).search(job, 130, StartSearch.NOWHERE)).isEqualTo(130);
    }

    @Test
    void shouldFindNothingThatIsNoEarlierThanAStartAlreadyKnown() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(4, 50));
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, 100)).isEqualTo(StartSearch.NOWHERE);
        assertThat(harness.search(job, 0, 101)).isEqualTo(100);
    }

    @Test
    void shouldFindNothingForMoreTasksThanTheNodesHold() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(5, 50));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
    }

    @Test
    void shouldWaitUntilEveryRequirementFitsBesideTheOthers() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(2, 50), Requirement.ofProcs(4, 1));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(200);
    }

    @Test
    void shouldFindNothingForSeveralRequirementsThatIsNoEarlierThanAStartAlreadyKnown() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(2, 50), Requirement.ofProcs(4, 1));
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, 200)).isEqualTo(StartSearch.NOWHERE);
        assertThat(harness.search(job, 0, 201)).isEqualTo(200);
        assertThat(harness.search(job, 230, StartSearch.NOWHERE)).isEqualTo(230);
    }

    @Test
    void shouldFindNothingForSeveralRequirementsThatTogetherAreMoreThanTheNodesHold() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(3, 50), Requirement.ofProcs(4, 1));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
    }

    /** Each by itself would have room on the idle node; beside each other they need the one that comes free first. */
    @Test
    void shouldGoOnToTheNextInstantWhenRequirementsAreInEachOthersWay() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting(
                "job", null, 60, TestCluster.tasksWithMemory(2, 50), TestCluster.tasksWithMemory(1, 60));
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(harness.search.found()).extracting(TaskShare::position).containsOnly(0, 2);
        assertThat(harness.search.found()).extracting(TaskShare::requirement).contains(0, 1);
    }

    @Test
    void shouldSearchForThreeRequirementsSideBySide() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting(
                "job",
                null,
                60,
                TestCluster.tasksWithMemory(1, 50),
                TestCluster.tasksWithMemory(1, 40),
                TestCluster.tasksWithMemory(1, 70));
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(harness.search.found()).extracting(TaskShare::requirement).containsExactlyInAnyOrder(0, 1, 2);
    }

    /** From the beginning n3 has room for all three tasks, but two of them may not lie together. */
    @Test
    void shouldWaitUntilEveryRequirementHasTheNodesItAsksFor() {
        TestCluster cluster =
                new TestCluster().nodes(3, 4).running("a", 4, "n1", 0, 100).running("b", 4, "n2", 0, 200);
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), onAtLeast(2, 2));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
    }

    @Test
    void shouldFindNothingOnFewerNodesThanAskedForThoughTheyHoldAllTasks() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, onAtLeast(4, 4));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
    }

    private static Requirement onAtLeast(int nodes, int tasks) {
        return new Requirement(
                tasks, TaskResources.ofProcs(1), NodeDemands.NONE, null, null, false, new NodeCount(nodes, 0, 0));
    }

    private static Requirement oneOnANode() {
        return new Requirement(
                1, TaskResources.ofProcs(1), NodeDemands.NONE, null, null, false, new NodeCount(0, 0, 1));
    }

    /** The node holds a task of either from the beginning, and never more; beside each other only when "a" has ended. */
    @Test
    void shouldTryRequirementsAgainWhenANodeChangesThoughItHoldsNoMoreOfEither() {
        TestCluster cluster = new TestCluster().nodes(1, 2).running("a", 1, "n1", 0, 100);
        Job job = cluster.waiting("job", null, 60, oneOnANode(), oneOnANode());

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
    }

    @Test
    void shouldTryOneRequirementAgainWhenANodeChangesThatDidNotLetItIn() {
        TestCluster cluster = new TestCluster().nodes(1, 2).running("a", 1, "n1", 0, 100);
        cluster.placement.personal = true;
        cluster.placement.admitted = 0;
        Job job = cluster.waiting("job", null, 60, oneOnANode());
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
        assertThat(cluster.placement.admittedFor).isEqualTo(100);
        assertThat(harness.search.looks())
                .as("the node once, and one choice at either instant")
                .isEqualTo(3);
    }

    @Test
    void shouldNotTryOneRequirementAgainBeforeANodeHoldsMoreOrFewerTasks() {
        TestCluster cluster = new TestCluster().nodes(1, 2);
        cluster.placement.personal = true;
        cluster.placement.admitted = 0;
        Job job = cluster.waiting("job", null, 60, oneOnANode());
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
        assertThat(harness.search.looks()).as("the node once, and one choice").isEqualTo(2);
    }

    @Test
    void shouldKeepWhatItFoundLastWhenItFindsNothing() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(4, 50));
        Job large = cluster.waiting("large", null, 60, TestCluster.tasksWithMemory(5, 50));
        Harness harness = new Harness(cluster);
        assertThat(harness.search.found()).isEmpty();
        harness.search(job, 0, StartSearch.NOWHERE);
        List<TaskShare> found = harness.search.found();

        harness.search(large, 0, StartSearch.NOWHERE);

        assertThat(harness.search.found()).isEqualTo(found);
    }

    @Test
    void shouldNotCallAGapLongEnoughThatASlotAheadCutsShort() {
        TestCluster cluster = cluster();
        Job ahead = cluster.waiting("ahead", null, 100, TestCluster.tasksWithMemory(2, 50));
        Job fitting = cluster.waiting("fitting", null, 40, TestCluster.tasksWithMemory(2, 50));
        Job tooLong = cluster.waiting("tooLong", null, 41, TestCluster.tasksWithMemory(2, 50));
        Harness harness = new Harness(cluster);
        long start = harness.search(ahead, 40, 41);
        harness.availability.take(new Slot(start, 100, 2, harness.search.found(), harness.keys.of(ahead)));

        assertThat(harness.search(fitting, 0, StartSearch.NOWHERE)).isZero();
        assertThat(harness.search(tooLong, 0, StartSearch.NOWHERE)).isEqualTo(100);
    }

    /** Returns {@code cluster} with alike nodes followed each by itself. */
    private static TestCluster apart(TestCluster cluster) {
        cluster.placement.indifferent = false;
        return cluster;
    }

    @Test
    void shouldCountTheNodesItLooksAtAndThoseItChoosesAmong() {
        TestCluster cluster = apart(cluster());
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(4, 50));
        Harness harness = new Harness(cluster);

        harness.search(job, 0, StartSearch.NOWHERE);
        assertThat(harness.search.looks()).as("n1 and n3, once for either").isEqualTo(4);
        harness.search(job, 0, StartSearch.NOWHERE);
        assertThat(harness.search.looks()).as("of all searches").isEqualTo(8);
    }

    @Test
    void shouldNotLookAtNodesThatChangeAfterAStartAlreadyKnown() {
        TestCluster cluster = apart(cluster());
        Job job = cluster.waiting("job", 5, 60);
        Harness harness = new Harness(cluster);

        assertThat(harness.search(job, 0, 100)).isEqualTo(StartSearch.NOWHERE);
        assertThat(harness.search.looks()).as("n3 and n1, not n2").isEqualTo(2);
    }

    /** Two nodes of two processors in each of the sets left and right; one of left is busy until 100, one of right until 200. */
    private static TestCluster sets() {
        TestCluster cluster = new TestCluster();
        for (String id : List.of("l1", "l2", "r1", "r2")) {
            String set = id.startsWith("l") ? "left" : "right";
            cluster.node(id, 2, node -> node.setFeatures(List.of(set)));
        }
        return cluster.running("a", 2, "l1", 0, 100).running("b", 2, "r1", 0, 200);
    }

    private static Harness inSets(TestCluster cluster, String... more) {
        return new Harness(
                cluster,
                TestCluster.policy(
                        "NODESETPOLICY ONEOF",
                        "NODESETATTRIBUTE FEATURE",
                        "NODESETLIST left right",
                        String.join("\n", more)));
    }

    @Test
    void shouldWaitUntilOneSetHoldsAllTasks() {
        TestCluster cluster = sets();
        Job wide = cluster.waiting("wide", 4, 60);
        Job narrow = cluster.waiting("narrow", 2, 60);
        Harness harness = inSets(cluster);

        assertThat(harness.search(wide, SetUse.NONE, 0, StartSearch.NOWHERE)).isZero();
        assertThat(harness.search(narrow, SetUse.ONE_SET, 0, StartSearch.NOWHERE))
                .isZero();
        assertThat(harness.search(wide, SetUse.ONE_SET, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(harness.search.found()).extracting(TaskShare::position).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void shouldWaitUntilOneSetHasTheNodesAskedFor() {
        assertThat(startOnTwoNodesOfASet("JOBNODEMATCHPOLICY EXACTNODE")).isEqualTo(100);
        assertThat(startOnTwoNodesOfASet()).as("tasks may share a node").isZero();
    }

    private static long startOnTwoNodesOfASet(String... more) {
        TestCluster cluster = sets();
        Job job = cluster.waiting(
                "job", null, 60, new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, 2, null, false));
        return inSets(cluster, more).search(job, SetUse.ONE_SET, 0, StartSearch.NOWHERE);
    }

    @Test
    void shouldChooseAmongNodesOnlyWhenOneSetHoldsAllTasks() {
        TestCluster cluster = apart(sets());
        Job job = cluster.waiting("job", 4, 60);
        Harness harness = inSets(cluster);

        harness.search(job, SetUse.ONE_SET, 0, StartSearch.NOWHERE);

        assertThat(harness.search.looks())
                .as("l2 and r2, then l1, and a choice among these three")
                .isEqualTo(6);
    }

    /** From 100 on there is room for all tasks, but not for half of them in either set. */
    @Test
    void shouldGoOnToTheNextInstantWhenTheTasksCannotLieEvenly() {
        TestCluster cluster = sets();
        Job job = cluster.waiting("job", 6, 60);

        assertThat(inSets(cluster).search(job, SetUse.EVEN_SPAN, 0, StartSearch.NOWHERE))
                .isEqualTo(200);
    }

    /** The one node with memory is busy until 300, the others until 100 and 200. */
    private static TestCluster behindOthers() {
        return new TestCluster()
                .node("n1", 2, 10, "DEFAULT")
                .node("n2", 2, 10, "DEFAULT")
                .node("n3", 2, 100, "DEFAULT")
                .running("a", 2, "n1", 0, NOW + 100)
                .running("b", 2, "n2", 0, NOW + 200)
                .running("c", 2, "n3", 0, NOW + 300);
    }

    /** Adds a job of two tasks that only the node with memory holds: a change costs two looks, and so does a choice. */
    private static Job pair(TestCluster cluster) {
        return cluster.waiting(
                "pair", null, 60, TestCluster.tasksWithMemory(1, 50), TestCluster.tasksWithMemory(1, 50));
    }

    private static Harness limited(TestCluster cluster, SpreadEffort effort) {
        return new Harness(cluster, SitePolicy.DEFAULT, NOW, effort);
    }

    /** Returns what leaves a search {@code looks}. */
    private static SpreadEffort leaving(long looks) {
        return new SpreadEffort(4 * looks);
    }

    /** Returns the first start of the pair at or after {@code first} when the search may cost {@code looks}. */
    private static long startOfPair(TestCluster cluster, long looks, int first) {
        Job job = pair(cluster);
        return limited(cluster, leaving(looks)).search(job, first, StartSearch.NOWHERE);
    }

    @Test
    void shouldNotSearchForSeveralRequirementsFurtherThanTheirLimit() {
        assertThat(startOfPair(behindOthers(), 5, 0)).isEqualTo(StartSearch.NOWHERE);
        assertThat(startOfPair(behindOthers(), 6, 0)).isEqualTo(300);
    }

    @Test
    void shouldSearchForOneRequirementWithoutLimit() {
        TestCluster cluster = behindOthers();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(2, 50));

        assertThat(limited(cluster, leaving(0)).search(job, 0, StartSearch.NOWHERE))
                .isEqualTo(300);
    }

    @Test
    void shouldCountNoChangesBeforeTheInstantAskedForTowardsTheLimit() {
        assertThat(startOfPair(behindOthers(), 3, 150)).isEqualTo(StartSearch.NOWHERE);
        assertThat(startOfPair(behindOthers(), 4, 150)).isEqualTo(300);
    }

    /** What ends at 300 costs four looks. */
    @Test
    void shouldStillFindTheLastStartWithinTheLimit() {
        TestCluster cluster = new TestCluster()
                .node("n1", 2, 10, "DEFAULT")
                .node("n2", 2, 10, "DEFAULT")
                .node("n3", 2, 100, "DEFAULT")
                .running("a", 2, "n1", 0, NOW + 300)
                .running("b", 2, "n2", 0, NOW + 300);

        assertThat(startOfPair(cluster, 3, 299)).isEqualTo(299);
    }

    @Test
    void shouldLookAtNoNodeWhenNothingIsLeftOfTheLimit() {
        TestCluster cluster = behindOthers();
        Job job = pair(cluster);
        SpreadEffort effort = leaving(100);
        Harness harness = limited(cluster, effort);
        effort.count(job, 200);

        assertThat(harness.search(job, 400, StartSearch.NOWHERE)).isEqualTo(StartSearch.NOWHERE);
        assertThat(harness.search.looks()).isZero();
    }

    /** Nodes come free at 100, 200 and 300; two tasks of either requirement fit at once, all four at 100. */
    @Test
    void shouldCountChoicesAndChangesUpToTheStartItFinds() {
        TestCluster cluster = behindOthers().node("n4", 2, 10, "DEFAULT");
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(2, 1), Requirement.ofProcs(2, 1));
        SpreadEffort effort = leaving(200);
        Harness harness = limited(cluster, effort);
        effort.count(job, 200);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(effort.left(job))
                .as("200 less choices among two tasks and among four, and one change, for both")
                .isEqualTo(200 - 2 * (2 + 4 + 1));
    }

    @Test
    void shouldCountAChoiceAgainWhenSomethingEndedThoughTheNodesHoldNoMore() {
        TestCluster cluster = new TestCluster().nodes(1, 2).running("a", 1, "n1", 0, NOW + 100);
        Job job = cluster.waiting("job", null, 60, oneOnANode(), oneOnANode());
        SpreadEffort effort = leaving(200);
        Harness harness = limited(cluster, effort);
        effort.count(job, 200);

        assertThat(harness.search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
        assertThat(effort.left(job))
                .as("200 less two choices and one change, for both")
                .isEqualTo(200 - 2 * (1 + 1 + 1));
    }
}
