package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.node.ResourceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAmountsTest {
    private final NodeAmounts amounts = new NodeAmounts();

    @Test
    void shouldAddUpEveryResourceOfANode() {
        amounts.clear(2);
        amounts.add(1, 1, 2, 3, 4);
        amounts.add(1, 10, 20, 30, 40);

        assertThat(amounts.of(1, ResourceKind.PROC)).isEqualTo(11);
        assertThat(amounts.of(1, ResourceKind.MEM)).isEqualTo(22);
        assertThat(amounts.of(1, ResourceKind.SWAP)).isEqualTo(33);
        assertThat(amounts.of(1, ResourceKind.DISK)).isEqualTo(44);
        assertThat(amounts.of(0, ResourceKind.PROC)).isZero();
        assertThat(amounts.positions().stream()).containsExactly(1);
        assertThat(amounts.isEmpty()).isFalse();
    }

    /** With room for fewer nodes than before, as many, and more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldHoldNothingAfterItIsCleared(int size) {
        amounts.clear(2);
        amounts.add(0, 1, 2, 3, 4);
        amounts.clear(size);

        assertThat(amounts.isEmpty()).isTrue();
        for (ResourceKind resource : ResourceKind.values()) {
            assertThat(amounts.of(0, resource)).isZero();
            assertThat(amounts.of(size - 1, resource)).isZero();
        }
    }
}
