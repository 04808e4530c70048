package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.schemas.NameCount;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttributeIndexTest {
    private final TestCluster cluster = new TestCluster()
            .node(
                    "n1",
                    1,
                    node -> node.setFeatures(List.of("fast", "big"))
                            .setNetworks(List.of("Ether"))
                            .setArch("x86")
                            .setOs("linux")
                            .setPartition("p"))
            .node(
                    "n2",
                    1,
                    node -> node.setFeatures(List.of("fast"))
                            .setClasses(List.of(new NameCount("batch", 2L)))
                            .setPartition("q"));

    @Test
    void shouldFindNodesByTheirAttributes() {
        AttributeIndex index = new AttributeIndex(cluster.nodes);

        assertThat(positions(index.feature("fast"))).containsExactly(0, 1);
        assertThat(positions(index.feature("big"))).containsExactly(0);
        assertThat(positions(index.feature("slow"))).isEmpty();
        assertThat(positions(index.network("ETHER"))).containsExactly(0);
        assertThat(positions(index.arch("x86"))).containsExactly(0);
        assertThat(positions(index.system("linux"))).containsExactly(0);
        assertThat(positions(index.partition("q"))).containsExactly(1);
        assertThat(index.partitions()).containsOnlyKeys("p", "q");
        assertThat(positions(index.compute())).containsExactly(0, 1);
    }

    @Test
    void shouldLetANodeWithoutClassesAcceptEveryClass() {
        AttributeIndex index = new AttributeIndex(cluster.nodes);

        assertThat(positions(accepting(index, "other", index.compute()))).containsExactly(0);
        assertThat(positions(accepting(index, "batch", index.compute()))).containsExactly(0, 1);
        assertThat(positions(accepting(index, "batch", index.feature("big")))).containsExactly(0);
    }

    private static BitSet accepting(AttributeIndex index, String jobClass, BitSet among) {
        BitSet accepting = new BitSet();
        index.accepting(jobClass, among, accepting);
        return accepting;
    }

    @Test
    void shouldLeaveOutTheNodeOfFloatingResources() {
        AttributeIndex index = new AttributeIndex(new TestCluster()
                .node(
                        EffectiveNode.GLOBAL,
                        1,
                        node -> node.setFeatures(List.of("fast")).setMemoryMb(1))
                .nodes);

        assertThat(positions(index.compute())).isEmpty();
        assertThat(positions(index.feature("fast"))).isEmpty();
        assertThat(index.tracksMemory()).isFalse();
    }

    @Test
    void shouldKnowOfWhichResourcesAnyNodeSaysHowMuchItHas() {
        AttributeIndex none = new AttributeIndex(cluster.nodes);
        assertThat(none.tracksMemory()).isFalse();
        assertThat(none.tracksSwap()).isFalse();
        assertThat(none.tracksDisk()).isFalse();

        cluster.node("n3", 1, node -> node.setMemoryMb(1))
                .node("n4", 1, node -> node.setSwapMb(1).setDiskMb(1));
        cluster.node("n5", 1, node -> {});
        AttributeIndex all = new AttributeIndex(cluster.nodes);
        assertThat(all.tracksMemory()).isTrue();
        assertThat(all.tracksSwap()).isTrue();
        assertThat(all.tracksDisk()).isTrue();
    }

    private static List<Integer> positions(BitSet set) {
        return set.stream().boxed().toList();
    }
}
