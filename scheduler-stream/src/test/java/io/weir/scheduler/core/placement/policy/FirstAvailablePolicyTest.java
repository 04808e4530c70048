package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.IndexOrder;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class FirstAvailablePolicyTest {
    private final NodeAllocationPolicy policy = new FirstAvailablePolicy();
    private final PolicyScene scene = new PolicyScene().nodes("a", "b", "c");

    @Test
    void shouldTakeTheLowestIndexForAStartNow() {
        scene.availableSince("a", 30).availableSince("b", 20).availableSince("c", 10);
        assertThat(scene.order(policy)).containsExactly("a", "b", "c");
    }

    @Test
    void shouldTakeTheNodeFreeForLongestForALaterStart() {
        scene.later().availableSince("a", 30).availableSince("b", 10).availableSince("c", 20);
        assertThat(scene.order(policy)).containsExactly("b", "c", "a");
    }

    @Test
    void shouldTakeTheLowestIndexOfNodesFreeForEquallyLong() {
        scene.later().availableSince("a", 20).availableSince("b", 10).availableSince("c", 10);
        assertThat(scene.order(policy)).containsExactly("b", "c", "a");
    }

    @Test
    void shouldDependOnTheMomentOfTheDecision() {
        assertThat(policy.repeatable()).isFalse();
        assertThat(policy.indifferent()).isFalse();
    }

    @Test
    void shouldTakeIdleNodesInAscendingOrder() {
        assertThat(policy.indexOrder()).isEqualTo(IndexOrder.ASCENDING);
    }
}
