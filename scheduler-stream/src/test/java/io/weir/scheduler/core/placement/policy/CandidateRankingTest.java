package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.Feature;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class CandidateRankingTest {
    private final NodeAllocationPolicy policy = new LastAvailablePolicy();
    private final PolicyScene scene = new PolicyScene();

    @Test
    @Feature("ALLOC-3")
    void shouldTakeNodesInTheOrderOfAffinity() {
        scene.nodes("negative", "none", "neutral", "positive", "required", "preempted");
        scene.affinity("negative", NodeAffinity.NEGATIVE)
                .affinity("neutral", NodeAffinity.NEUTRAL)
                .affinity("positive", NodeAffinity.POSITIVE)
                .affinity("required", NodeAffinity.REQUIRED)
                .affinity("preempted", NodeAffinity.PREEMPTION);
        assertThat(scene.order(policy))
                .containsExactly("required", "positive", "neutral", "none", "negative", "preempted");
    }

    @Test
    void shouldLeaveOutNodesOfLesserAffinityThatAreNotNeeded() {
        scene.nodes("a", "b", "c").affinity("a", NodeAffinity.POSITIVE).affinity("b", NodeAffinity.NEUTRAL);
        assertThat(scene.choose(policy, 2)).containsExactly("a", "b");
    }

    @Test
    void shouldReturnTheTasksOfEachNode() {
        scene.nodes("a", "b").tasks("a", 4).tasks("b", 3);
        assertThat(scene.shares(policy, TaskShape.of(5)))
                .containsExactly(new TaskShare(1, 0, 3), new TaskShare(0, 0, 2));
    }

    @Test
    void shouldSpreadTheTasksAsTheShapeSays() {
        scene.nodes("a", "b").tasks("a", 4).tasks("b", 3);
        TaskShape inTurn = new TaskShape(4, 1, 1, new NodeCount(2, 2, 0), TaskDistribution.RR);
        assertThat(scene.shares(policy, inTurn)).containsExactly(new TaskShare(1, 0, 2), new TaskShare(0, 0, 2));
    }

    @Test
    void shouldReturnNothingWhereTheTasksDoNotAllFindAPlace() {
        scene.nodes("a", "b");
        assertThat(scene.choose(policy, 3)).isEmpty();
    }

    @Test
    void shouldChooseAmongMoreNodesThanBefore() {
        scene.nodes("a", "b");
        assertThat(scene.order(policy)).hasSize(2);
        for (int i = 0; i < 100; i++) {
            scene.node("n" + i);
        }
        assertThat(scene.order(policy)).hasSize(102).startsWith("n99").endsWith("a");
    }
}
