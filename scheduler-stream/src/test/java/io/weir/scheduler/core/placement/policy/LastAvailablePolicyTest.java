package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.IndexOrder;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class LastAvailablePolicyTest {
    private final NodeAllocationPolicy policy = new LastAvailablePolicy();
    private final PolicyScene scene = new PolicyScene().nodes("a", "b", "c", "d");

    @Test
    void shouldTakeTheHighestIndexWhereNoNodeIsNeededAgain() {
        assertThat(scene.order(policy)).containsExactly("d", "c", "b", "a");
    }

    @Test
    void shouldTakeTheNodeNeededAgainSoonest() {
        scene.slack("a", 100).slack("c", 50);
        assertThat(scene.order(policy)).containsExactly("c", "a", "d", "b");
    }

    @Test
    void shouldTakeTheHighestIndexOfNodesNeededAgainAtTheSameTime() {
        scene.slack("a", 50).slack("b", 50);
        assertThat(scene.choose(policy, 2)).containsExactly("b", "a");
    }

    @Test
    void shouldLookAtSlackAndIndexAlone() {
        assertThat(policy.repeatable()).isTrue();
        assertThat(policy.indifferent()).isTrue();
        assertThat(policy.takesAnyNodes()).isTrue();
    }

    @Test
    void shouldTakeIdleNodesInDescendingOrder() {
        assertThat(policy.indexOrder()).isEqualTo(IndexOrder.DESCENDING);
    }
}
