package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class ContiguousPolicyTest {
    private final NodeAllocationPolicy policy = new ContiguousPolicy();
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldTakeTheSmallestRunThatHoldsTheJob() {
        runsOfThreeTwoAndOne();
        assertThat(scene.choose(policy, 1)).containsExactly("n8");
        assertThat(scene.choose(policy, 2)).containsExactly("n5", "n6");
        assertThat(scene.choose(policy, 3)).containsExactly("n1", "n2", "n3");
    }

    @Test
    void shouldFindNothingWhereNoRunIsLongEnough() {
        runsOfThreeTwoAndOne();
        assertThat(scene.choose(policy, 4)).isEmpty();
    }

    @Test
    void shouldTakeTheLowestOfRunsOfTheSameSizeFromItsLowEnd() {
        scene.nodes("n1", "n2", "n3", "n4", "n5", "n6", "n7").busy("n4");
        assertThat(scene.choose(policy, 2)).containsExactly("n1", "n2");
    }

    @Test
    void shouldLeaveNoGapWithinARun() {
        scene.nodes("n1", "n2", "n3", "n4").tasks("n1", 2).tasks("n3", 2).tasks("n4", 2);
        TaskShape pairs = new TaskShape(4, 2, 1, NodeCount.ANY, TaskDistribution.PACK);
        assertThat(scene.choose(policy, pairs)).containsExactly("n3", "n4");
    }

    @Test
    void shouldJoinNodesOfDifferentAffinityToARunOnlyWhenItMust() {
        scene.nodes("n1", "n2", "n3").affinity("n2", NodeAffinity.POSITIVE);
        assertThat(scene.choose(policy, 1)).containsExactly("n2");
        assertThat(scene.choose(policy, 2)).containsExactly("n1", "n2");
    }

    @Test
    void shouldNotTakeJustAnyNodes() {
        assertThat(policy.takesAnyNodes()).isFalse();
        assertThat(policy.repeatable()).isTrue();
        assertThat(policy.indifferent()).isFalse();
    }

    private void runsOfThreeTwoAndOne() {
        scene.nodes("n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8").busy("n4", "n7");
    }
}
