package io.weir.scheduler.core.nodeset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpeedSetsTest {
    private final SetScene scene = new SetScene();

    @Test
    void shouldGrowASetFromEachSpeedUpToTheTolerance() {
        scene.speeds(500, 750, 800);
        assertThat(shown(0.5))
                .containsExactly(
                        Map.entry("500", List.of("n1-500", "n2-750")),
                        Map.entry("750", List.of("n2-750", "n3-800")),
                        Map.entry("800", List.of("n3-800")));
    }

    @Test
    void shouldFormSetsOfEqualSpeedsWithoutTolerance() {
        scene.speeds(500, 501, 500);
        assertThat(shown(0))
                .containsExactly(Map.entry("500", List.of("n1-500", "n3-500")), Map.entry("501", List.of("n2-501")));
    }

    @Test
    void shouldMergeListedSpeedsWithTheSameNodesIntoTheLowest() {
        scene.speeds(500, 500);
        assertThat(shown(0.5, "500", "450", "900"))
                .containsExactly(Map.entry("450", List.of("n1-500", "n2-500")), Map.entry("900", List.of()));
    }

    @Test
    void shouldFormNoSetForATextThatIsNoSpeed() {
        scene.speeds(500);
        assertThat(shown(0, "fast", "0", "500")).containsOnlyKeys("500");
    }

    @Test
    void shouldLeaveNodesOfUnknownSpeedOut() {
        scene.speeds(500).node("unknown", 1);
        assertThat(shown(10)).containsExactly(Map.entry("500", List.of("n1-500")));
    }

    @Test
    void shouldLetAnyOfLeaveTheNodesBetweenTheListedSpeeds() {
        scene.speeds(400, 450, 600, 700, 720);
        assertThat(union(0, "450", "650")).containsExactly("n2-450", "n3-600");
    }

    @Test
    void shouldWidenTheRangeOfAnyOfByTheTolerance() {
        scene.speeds(400, 420, 450, 700, 720);
        assertThat(union(0.1, "450", "650")).containsExactly("n2-420", "n3-450", "n4-700");
    }

    @Test
    void shouldOnlyGrowSetsFromSpeedsThatAreNotListed() {
        scene.speeds(500, 750);
        assertThat(SpeedSets.form(scene.nodes, List.of(), 0).speeds().growing()).isTrue();
        assertThat(SpeedSets.form(scene.nodes, List.of("500"), 0).speeds().growing())
                .isFalse();
    }

    private Map<String, List<String>> shown(double tolerance, String... listed) {
        return FormedSetsScene.shown(scene.nodes, SpeedSets.form(scene.nodes, List.of(listed), tolerance));
    }

    private List<String> union(double tolerance, String... listed) {
        return FormedSetsScene.ids(
                scene.nodes,
                SpeedSets.form(scene.nodes, List.of(listed), tolerance).union());
    }
}
