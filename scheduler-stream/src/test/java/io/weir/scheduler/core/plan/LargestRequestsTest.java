package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargestRequestsTest {
    private static final String SETS = "NODESETPOLICY ONEOF\nNODESETATTRIBUTE FEATURE\nNODESETLIST left right";

    private final TestCluster cluster = new TestCluster();

    private NodePlan plan(String... lines) {
        NodePlan plan = new NodePlan(cluster.jobs, cluster.nodes, cluster.access, cluster.placement);
        SitePolicy policy = TestCluster.policy(lines);
        plan.nodeSets().configure(policy);
        plan.reset(0, policy);
        return plan;
    }

    private void node(String id, int index, NodeState state, String feature) {
        NodeReport report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(state)
                .setProcs(2)
                .setMemoryMb(1000)
                .setFeatures(List.of(feature))
                .build();
        cluster.nodes.put(Node.reported(report, "rm", 1, null, index, 0));
    }

    /** Two nodes of two processors in each of the sets left and right. */
    private void twoSets() {
        node("l1", 1, NodeState.IDLE, "left");
        node("l2", 2, NodeState.IDLE, "left");
        node("r1", 3, NodeState.IDLE, "right");
        node("r2", 4, NodeState.IDLE, "right");
    }

    @Test
    void shouldHoldWhatTheNodesHoldTogetherAndNoMore() {
        cluster.node("n1", 4, 100, "DEFAULT").node("n2", 2, 200, "DEFAULT");
        Job fits = cluster.waiting("fits", 6, 60);
        Job tooWide = cluster.waiting("wide", 7, 60);
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(tooWide)).isFalse();
    }

    @Test
    void shouldJudgeAsIfNothingRan() {
        cluster.node("n1", 4, 100, "DEFAULT").running("a", 4, "n1", 0, 1_000_000);
        Job job = cluster.waiting("job", 4, 60);

        assertThat(plan().possible(job)).isTrue();
    }

    @Test
    void shouldJudgeAsIfEveryNodeWereUp() {
        node("n1", 1, NodeState.DOWN, "x");
        Job job = cluster.waiting("job", 2, 60);

        assertThat(plan().possible(job)).isTrue();
    }

    @Test
    void shouldNotSplitATaskOverNodes() {
        cluster.node("n1", 4, 100, "DEFAULT").node("n2", 4, 200, "DEFAULT");
        Job fits = cluster.waiting("fits", null, 60, Requirement.ofProcs(2, 4));
        Job tooLarge = cluster.waiting("large", null, 60, Requirement.ofProcs(1, 5));
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(tooLarge)).isFalse();
    }

    @Test
    void shouldCountWhatATaskTakesBesideProcessors() {
        cluster.node("n1", 4, 1000, "DEFAULT");
        Job fits = cluster.waiting("fits", null, 60, TestCluster.tasksWithMemory(2, 500));
        Job tooMuch = cluster.waiting("much", null, 60, TestCluster.tasksWithMemory(2, 501));
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(tooMuch)).isFalse();
    }

    @Test
    void shouldJudgeEachOfSeveralRequirements() {
        cluster.node("n1", 2, 1000, "DEFAULT").node("n2", 2, 100, "DEFAULT");
        Requirement small = Requirement.ofProcs(2, 1);
        Job fits = cluster.waiting("fits", null, 60, small, TestCluster.tasksWithMemory(2, 500));
        Job lastTooLarge = cluster.waiting("last", null, 60, small, TestCluster.tasksWithMemory(3, 500));
        Job firstTooLarge = cluster.waiting("first", null, 60, TestCluster.tasksWithMemory(3, 500), small);
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(lastTooLarge)).isFalse();
        assertThat(plan.possible(firstTooLarge)).isFalse();
    }

    @Test
    void shouldForbidWhatNoNodeSetHolds() {
        twoSets();
        Job fits = cluster.waiting("fits", 4, 60);
        Job tooWide = cluster.waiting("wide", 5, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE");

        assertThat(plan.forbiddenBySets(fits)).isFalse();
        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
        assertThat(plan.possible(tooWide)).isFalse();
    }

    @Test
    void shouldAnswerForEachNumberOfTasksAlthoughOneWasAskedBefore() {
        twoSets();
        Job tooWide = cluster.waiting("wide", 5, 60);
        Job fits = cluster.waiting("fits", 4, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE");

        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
        assertThat(plan.forbiddenBySets(fits)).isFalse();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
    }

    @Test
    void shouldForbidAJobOneOfWhoseRequirementsNoSetHolds() {
        twoSets();
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(5, 1));
        Job fits = cluster.waiting("fits", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(3, 1));
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE");

        assertThat(plan.forbiddenBySets(job)).isTrue();
        assertThat(plan.forbiddenBySets(fits)).isFalse();
    }

    @Test
    void shouldForbidNothingWhereSetsAreOptional() {
        twoSets();
        Job job = cluster.waiting("job", 5, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL TRUE");

        assertThat(plan.forbiddenBySets(job)).isFalse();
        assertThat(plan.possible(job)).isTrue();
    }

    @Test
    void shouldAskTheAllocationPolicyWhereNotAnyNodesWillDo() {
        cluster.node("n1", 4, 100, "DEFAULT");
        cluster.placement.anyNodes = false;
        cluster.placement.mostTogether = 3;
        Job fits = cluster.waiting("fits", 3, 60);
        Job tooWide = cluster.waiting("wide", 4, 60);
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(tooWide)).isFalse();
    }

    @Test
    void shouldAskTheAllocationPolicyAboutEveryRequirement() {
        cluster.node("n1", 4, 1000, "DEFAULT");
        cluster.placement.anyNodes = false;
        cluster.placement.mostTogether = 2;
        Requirement narrow = Requirement.ofProcs(2, 1);
        Job fits = cluster.waiting("fits", null, 60, narrow, TestCluster.tasksWithMemory(2, 1));
        Job tooWide = cluster.waiting("wide", null, 60, narrow, TestCluster.tasksWithMemory(3, 1));
        NodePlan plan = plan();

        assertThat(plan.possible(fits)).isTrue();
        assertThat(plan.possible(tooWide)).isFalse();
    }

    @Test
    void shouldForbidAJobOfSeveralRequirementsThatNoSetHolds() {
        twoSets();
        Job job = cluster.waiting("job", null, 60, Requirement.ofProcs(1, 1), Requirement.ofProcs(5, 1));
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE");

        assertThat(plan.possible(job)).isFalse();
    }

    @Test
    void shouldTakeEachNodeOfASetForWhatItHas() {
        twoSets();
        cluster.node("r3", 6, node -> node.setFeatures(List.of("right")));
        Job fits = cluster.waiting("fits", 10, 60);
        Job tooWide = cluster.waiting("wide", 11, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE");

        assertThat(plan.forbiddenBySets(fits)).isFalse();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
    }

    @Test
    void shouldPutOneTaskOnEachNodeOfASetWhereTheyAreForSingleTasks() {
        twoSets();
        String alone = "NODEACCESSPOLICY SINGLETASK";
        cluster.nodes.configure(TestCluster.policy(alone));
        Job fits = cluster.waiting("fits", 2, 60);
        Job tooWide = cluster.waiting("wide", 3, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE", alone);

        assertThat(plan.forbiddenBySets(fits)).isFalse();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
    }

    /** Four tasks on each of two sets. */
    @Test
    void shouldCountSeveralSetsTogetherWhereJobsMaySpanThem() {
        twoSets();
        Job spanning = cluster.waiting("spanning", 8, 60);
        Job tooWide = cluster.waiting("wide", 10, 60);
        NodePlan plan = plan(SETS, "NODESETISOPTIONAL FALSE", "NODESETPLUS SPANEVENLY");

        assertThat(plan.forbiddenBySets(spanning)).isFalse();
        assertThat(plan.forbiddenBySets(tooWide)).isTrue();
        spanning.planMark(0);
        assertThat(plan(SETS, "NODESETISOPTIONAL FALSE").forbiddenBySets(spanning))
                .isTrue();
    }
}
