package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class FastestPolicyTest {
    private final NodeAllocationPolicy policy = new FastestPolicy();
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldGoByNodeSpeedWhereSpeedsDiffer() {
        scene.node("a", node -> node.setSpeed(1.0).setProcSpeedMhz(3000));
        scene.node("b", node -> node.setSpeed(1.5).setProcSpeedMhz(2000));
        assertThat(scene.order(policy)).containsExactly("b", "a");
    }

    @Test
    void shouldTakeANodeWithoutSpeedForOneOfSpeedOne() {
        scene.node("slow", node -> node.setSpeed(0.5)).node("unknown").node("fast", node -> node.setSpeed(1.5));
        assertThat(scene.order(policy)).containsExactly("fast", "unknown", "slow");
    }

    @Test
    void shouldGoByProcessorSpeedWhereNodeSpeedsAreEqual() {
        scene.node("a", node -> node.setSpeed(2.0).setProcSpeedMhz(2400));
        scene.node("b", node -> node.setSpeed(2.0).setProcSpeedMhz(3000));
        scene.node("unknown", node -> node.setSpeed(2.0));
        assertThat(scene.order(policy)).containsExactly("b", "a", "unknown");
    }

    @Test
    void shouldTakeEquallyFastNodesBySlackAndHighestIndex() {
        for (String id : List.of("a", "b", "c")) {
            scene.node(id, node -> node.setProcSpeedMhz(2400));
        }
        scene.slack("a", 60);
        assertThat(scene.order(policy)).containsExactly("a", "c", "b");
    }

    @Test
    void shouldDrawTheOrderOfNodesWithoutSpeedFromTheSeed() {
        scene.nodes("a", "b", "c", "d");
        TreeSet<String> orders = new TreeSet<>();
        for (int seed = 1; seed <= 10; seed++) {
            List<String> drawn = scene.seed(seed).order(policy);
            assertThat(scene.seed(seed).order(policy)).isEqualTo(drawn);
            orders.add(String.join(",", drawn));
        }
        assertThat(orders).hasSizeGreaterThan(3);
    }

    @Test
    void shouldDependOnChance() {
        assertThat(policy.repeatable()).isFalse();
        assertThat(policy.indifferent()).isFalse();
    }
}
