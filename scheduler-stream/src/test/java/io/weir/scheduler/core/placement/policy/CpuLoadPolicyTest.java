package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class CpuLoadPolicyTest {
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldTakeTheNodeWithTheMostUnusedProcessors() {
        loaded("a", 4, 3.5).loaded("b", 8, 6).loaded("c", 2, 0.1);
        assertThat(scene.order(scene.policy("CPULOAD"))).containsExactly("b", "c", "a");
    }

    @Test
    void shouldTakeNoNodeWhoseLoadReachesItsProcessors() {
        loaded("full", 16, 16).loaded("free", 2, 1);
        assertThat(scene.choose(scene.policy("CPULOAD"), 1)).containsExactly("free");
        assertThat(scene.choose(scene.policy("CPULOAD"), 2)).isEmpty();
    }

    @Test
    void shouldBreakTiesBySlackAndHighestIndex() {
        loaded("a", 4, 2).loaded("b", 4, 2).loaded("c", 4, 2);
        scene.slack("a", 60);
        assertThat(scene.order(scene.policy("CPULOAD"))).containsExactly("a", "c", "b");
    }

    @Test
    void shouldGoByConfiguredResourcesForALaterStart() {
        loaded("a", 4, 3.5).loaded("b", 8, 6).loaded("c", 2, 0.1);
        scene.later();
        assertThat(scene.order(scene.policy("CPULOAD"))).containsExactly("c", "a", "b");
    }

    @Test
    void shouldTellNodesWithEqualConfigurationApart() {
        NodeAllocationPolicy policy = scene.policy("CPULOAD");
        assertThat(policy.indifferent()).isFalse();
        assertThat(policy.repeatable()).isTrue();
        assertThat(policy.takesAnyNodes()).isTrue();
    }

    private CpuLoadPolicyTest loaded(String id, int procs, double load) {
        scene.node(id, node -> node.setProcs(procs).setLoad(load));
        return this;
    }
}
