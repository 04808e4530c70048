package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.NodeAffinity;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class PriorityPolicyTest {
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldTakeTheHighestValueOfTheFunction() {
        function("CPROCS");
        scene.node("a", node -> node.setProcs(2))
                .node("b", node -> node.setProcs(8))
                .node("c", node -> node.setProcs(4));
        assertThat(scene.order(scene.policy("PRIORITY"))).containsExactly("b", "c", "a");
    }

    @Test
    void shouldTakeNodesOfEqualValueBySlackAndHighestIndex() {
        function("CPROCS");
        scene.nodes("a", "b", "c").slack("a", 60);
        assertThat(scene.order(scene.policy("PRIORITY"))).containsExactly("a", "c", "b");
    }

    @Test
    void shouldIgnoreThePresentForALaterStart() {
        function("-LOAD");
        scene.node("busy", node -> node.setProcs(4).setLoad(3.0)).node("idle", node -> node.setProcs(4));
        scene.slack("busy", 60);
        assertThat(scene.choose(scene.policy("PRIORITY"), 1)).containsExactly("idle");
        scene.later();
        assertThat(scene.choose(scene.policy("PRIORITY"), 1)).containsExactly("busy");
    }

    @Test
    void shouldPutAffinityBeforeAFunctionThatDoesNotNameIt() {
        function("CPROCS");
        scene.node("large", node -> node.setProcs(8)).node("reserved", node -> node.setProcs(1));
        scene.affinity("reserved", NodeAffinity.POSITIVE);
        assertThat(scene.choose(scene.policy("PRIORITY"), 1)).containsExactly("reserved");
    }

    @Test
    void shouldWeighAffinityAgainstTheRestOfAFunctionThatNamesIt() {
        function("CPROCS + 2*RSVAFFINITY");
        scene.node("large", node -> node.setProcs(8)).node("reserved", node -> node.setProcs(1));
        scene.affinity("reserved", NodeAffinity.POSITIVE);
        assertThat(scene.choose(scene.policy("PRIORITY"), 1)).containsExactly("large");
    }

    @Test
    void shouldKeepRequiredNodesFirstWhateverTheFunction() {
        function("CPROCS + 2*RSVAFFINITY");
        scene.node("large", node -> node.setProcs(8)).node("required", node -> node.setProcs(1));
        scene.affinity("required", NodeAffinity.REQUIRED);
        assertThat(scene.choose(scene.policy("PRIORITY"), 1)).containsExactly("required");
    }

    @Test
    void shouldBeRepeatableUnlessTheFunctionNamesChanceOrTheMoment() {
        scene.nodes("a");
        assertThat(function("CPROCS").policy("PRIORITY").repeatable()).isTrue();
        assertThat(function("RANDOM").policy("PRIORITY").repeatable()).isFalse();
        assertThat(function("FREETIME").policy("PRIORITY").repeatable()).isFalse();
    }

    private PolicyScene function(String text) {
        return scene.site("NODECFG[DEFAULT] PRIORITYF='" + text + "'");
    }
}
