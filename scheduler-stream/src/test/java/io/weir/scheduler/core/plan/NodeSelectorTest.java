package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
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
}
