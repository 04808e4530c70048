package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search for a start on nodes that are followed one by one; instants are seconds after the start of the plan. */
class StartSearchTest {
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
            NodeSets sets = new NodeSets(cluster.nodes);
            sets.configure(policy);
            keys = new PlanKeyTable(cluster.nodes, cluster.placement, sets);
            NodeBuckets buckets = new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
            availability = new NodeAvailabilityPlan(cluster.jobs, cluster.nodes, cluster.placement, keys, buckets);
            NodeSelector selector =
                    new NodeSelector(cluster.nodes, availability, cluster.placement, sets, cluster.access);
            views = new AccessViews(cluster.access, cluster.nodes, cluster.placement);
            search = new StartSearch(availability, selector, sets, new SpreadEffort(SpreadEffort.MOST));
            views.reset(policy);
            keys.refresh(policy);
            availability.reset(0, policy);
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

    @Test
    void shouldWaitUntilEveryRequirementHasTheNodesItAsksFor() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting(
                "job",
                null,
                60,
                Requirement.ofProcs(1, 1),
                new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, 2, null, false));

        assertThat(new Harness(cluster).search(job, 0, StartSearch.NOWHERE)).isEqualTo(100);
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

    @Test
    void shouldCountTheNodesItLooksAt() {
        TestCluster cluster = cluster();
        Job job = cluster.waiting("job", null, 60, TestCluster.tasksWithMemory(4, 50));
        Harness harness = new Harness(cluster);
        long before = harness.search.looks();

        harness.search(job, 0, StartSearch.NOWHERE);

        assertThat(harness.search.looks()).isGreaterThanOrEqualTo(before + 2);
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

    private static Harness inSets(TestCluster cluster) {
        return new Harness(
                cluster,
                TestCluster.policy("NODESETPOLICY ONEOF", "NODESETATTRIBUTE FEATURE", "NODESETLIST left right"));
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
        TestCluster cluster = sets();
        Job job = cluster.waiting(
                "job", null, 60, new Requirement(2, TaskResources.ofProcs(1), NodeDemands.NONE, 2, null, false));

        assertThat(inSets(cluster).search(job, SetUse.ONE_SET, 0, StartSearch.NOWHERE))
                .isEqualTo(100);
    }
}
