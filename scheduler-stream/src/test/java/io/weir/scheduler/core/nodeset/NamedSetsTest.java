package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.schemas.NameCount;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedSetsTest {
    private final SetScene scene = new SetScene();

    @Test
    void shouldFormOneSetForEachFeatureFound() {
        scene.node("n1", 1, "a", "b").node("n2", 1, "b").node("n3", 1);
        FormedSets formed = NamedSets.byFeature(scene.nodes, List.of());
        assertThat(shown(formed)).isEqualTo(Map.of("a", List.of("n1"), "b", List.of("n1", "n2")));
        assertThat(formed.byAppearance()).isTrue();
    }

    @Test
    void shouldFormTheListedSetsInTheirOrderAndNoOthers() {
        scene.node("n1", 1, "a").node("n2", 1, "b").node("n3", 1, "c");
        FormedSets formed = NamedSets.byFeature(scene.nodes, List.of("c", "none", "a"));
        assertThat(formed.names()).containsExactly("c", "none", "a");
        assertThat(shown(formed)).containsEntry("none", List.of()).containsEntry("a", List.of("n1"));
        assertThat(formed.byAppearance()).isFalse();
    }

    @Test
    void shouldLetAnyOfLeaveTheNodesOfAllSets() {
        scene.node("n1", 1, "a").node("n2", 1, "b").node("n3", 1, "c");
        FormedSets formed = NamedSets.byFeature(scene.nodes, List.of("c", "a"));
        assertThat(FormedSetsScene.ids(scene.nodes, formed.union())).containsExactly("n1", "n3");
    }

    @Test
    void shouldPutThePseudoNodeOfTheClusterIntoEveryFeatureSet() {
        scene.node("n1", 1, "a").node(EffectiveNode.GLOBAL, 1).node("n2", 1, "b");
        assertThat(shown(NamedSets.byFeature(scene.nodes, List.of())))
                .containsEntry("a", List.of("n1", EffectiveNode.GLOBAL))
                .containsEntry("b", List.of(EffectiveNode.GLOBAL, "n2"));
    }

    @Test
    void shouldNotTellNetworksApartByCase() {
        scene.node("n1", 1, node -> node.setNetworks(List.of("Via", "ethernet")));
        scene.node("n2", 1, node -> node.setNetworks(List.of("VIA")));
        assertThat(shown(NamedSets.byNetwork(scene.nodes, List.of("via"))))
                .containsExactly(Map.entry("via", List.of("n1", "n2")));
        assertThat(NamedSets.byNetwork(scene.nodes, List.of()).names()).containsExactly("via", "ethernet");
    }

    @Test
    void shouldLeaveNodesOfUnknownArchitectureOut() {
        scene.node("n1", 1, node -> node.setArch("x86")).node("n2", 1).node("n3", 1, node -> node.setArch("arm"));
        FormedSets formed = NamedSets.byArch(scene.nodes, List.of());
        assertThat(formed.names()).containsExactly("x86", "arm");
        assertThat(FormedSetsScene.ids(scene.nodes, formed.union())).containsExactly("n1", "n3");
    }

    @Test
    void shouldPutANodeThatRestrictsNoClassIntoEveryClassSet() {
        scene.node("any", 1).node("batch", 1, node -> node.setClasses(List.of(new NameCount("batch", 1L))));
        assertThat(shown(NamedSets.byClass(scene.nodes, List.of())))
                .containsExactly(Map.entry("batch", List.of("any", "batch")));
    }

    private Map<String, List<String>> shown(FormedSets formed) {
        return FormedSetsScene.shown(scene.nodes, formed);
    }
}
