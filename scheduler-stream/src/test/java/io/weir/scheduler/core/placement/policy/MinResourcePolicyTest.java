package io.weir.scheduler.core.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.IndexOrder;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.schemas.NodeReport;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class MinResourcePolicyTest {
    private final MinResourcePolicy policy = new MinResourcePolicy();
    private final PolicyScene scene = new PolicyScene();

    @Test
    void shouldTakeTheNodeWithTheLeastMemory() {
        scene.node("large", node -> node.setMemoryMb(1024)).node("small", node -> node.setMemoryMb(256));
        scene.node("middle", node -> node.setMemoryMb(512));
        assertThat(scene.order(policy)).containsExactly("small", "middle", "large");
    }

    @Test
    void shouldPutMemoryBeforeProcessors() {
        assertThat(lesser(
                        node -> node.setMemoryMb(256).setProcs(8),
                        node -> node.setMemoryMb(512).setProcs(1)))
                .isEqualTo("a");
    }

    @Test
    void shouldPutProcessorsBeforeDisk() {
        assertThat(lesser(
                        node -> node.setProcs(2).setDiskMb(10),
                        node -> node.setProcs(1).setDiskMb(20)))
                .isEqualTo("b");
    }

    @Test
    void shouldPutDiskBeforeSwap() {
        assertThat(lesser(
                        node -> node.setDiskMb(10).setSwapMb(9),
                        node -> node.setDiskMb(20).setSwapMb(1)))
                .isEqualTo("a");
    }

    @Test
    void shouldPutSwapBeforeFeatures() {
        assertThat(lesser(node -> node.setSwapMb(2), node -> node.setSwapMb(1).setFeatures(List.of("gpu", "ib"))))
                .isEqualTo("b");
    }

    @Test
    void shouldTakeTheNodeWithTheFewestFeaturesLast() {
        assertThat(lesser(node -> node.setFeatures(List.of("ib")), node -> node.setFeatures(List.of("gpu", "ib"))))
                .isEqualTo("a");
    }

    @Test
    void shouldTakeTheLeastSlackAndThenTheHighestIndexOfEqualNodes() {
        scene.nodes("a", "b", "c").slack("a", 60);
        assertThat(scene.order(policy)).containsExactly("a", "c", "b");
    }

    @Test
    void shouldSortNodesForReservationsByAffinityFirst() {
        scene.node("small", node -> node.setMemoryMb(256)).node("own", node -> node.setMemoryMb(1024));
        scene.affinity("own", NodeAffinity.POSITIVE);
        int[] sorted = new CandidateRanking(new Candidates(scene.nodes, 0)).sorted(scene.candidates(), policy);
        assertThat(sorted).containsExactly(scene.nodes.position("own"), scene.nodes.position("small"));
    }

    @Test
    void shouldBeIndifferentBetweenNodesThatAreConfiguredAlike() {
        assertThat(policy.repeatable()).isTrue();
        assertThat(policy.indifferent()).isTrue();
        assertThat(policy.indexOrder()).isEqualTo(IndexOrder.NONE);
    }

    private String lesser(Consumer<NodeReport.Builder> a, Consumer<NodeReport.Builder> b) {
        return scene.node("a", a).node("b", b).order(policy).get(0);
    }
}
