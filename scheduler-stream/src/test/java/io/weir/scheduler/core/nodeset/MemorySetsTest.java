package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySetsTest {
    private final SetScene scene = new SetScene()
            .node("n1", 1, node -> node.setMemoryMb(512L))
            .node("n2", 1, node -> node.setMemoryMb(256L))
            .node("n3", 1, node -> node.setMemoryMb(512L))
            .node("unknown", 1);

    @Test
    void shouldFormOneSetForEachAmountInAscendingOrder() {
        FormedSets formed = MemorySets.form(scene.nodes, List.of());
        assertThat(formed.names()).containsExactly("256", "512");
        assertThat(FormedSetsScene.shown(scene.nodes, formed)).containsEntry("512", List.of("n1", "n3"));
        assertThat(formed.byAppearance()).isFalse();
    }

    @Test
    void shouldFormTheListedAmountsInTheirOrder() {
        assertThat(MemorySets.form(scene.nodes, List.of("512", "1024", "256")).names())
                .containsExactly("512", "1024", "256");
    }

    @Test
    void shouldFormAnEmptySetForATextThatIsNoAmount() {
        FormedSets formed = MemorySets.form(scene.nodes, List.of("large"));
        assertThat(formed.members()).hasSize(1);
        assertThat(formed.union().isEmpty()).isTrue();
    }
}
