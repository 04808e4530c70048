package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Nodes n1 and n3 are alike, n2 has more processors, n4 takes one task only, and n5 fails. */
class NodeKindsTest {
    private final TestCluster cluster = new TestCluster()
            .node("n1", 4, 0, "left")
            .node("n2", 8, 0, "left")
            .node("n3", 4, 0, "right")
            .node("n4", 4, 0, "right")
            .node("n5", 4, node -> node.setPartition("right").setFailing(true));
    private final NodeKinds kinds;

    NodeKindsTest() {
        cluster.nodes.configure(TestCluster.policy("NODECFG[n4] ACCESS=SINGLETASK"));
        kinds = new NodeKinds(cluster.nodes, new NodeResources(cluster.nodes));
    }

    @Test
    void shouldCountNodesByKind() {
        assertThat(kinds.tally(all())).containsExactly(3, 1, 1);
        assertThat(kinds.tally(nodes(2, 3))).containsExactly(1, 0, 1);
        assertThat(kinds.tally(nodes())).containsExactly(0, 0, 0);
    }

    @Test
    void shouldGiveTheFirstNodeOfEachKindForAnExample() {
        assertThat(kinds.examples(new int[] {1, 1, 1})).containsExactly(0, 1, 3);
        assertThat(kinds.examples(new int[] {2, 0, 1})).containsExactly(0, 3);
        assertThat(kinds.examples(new int[] {0, 0, 0})).isEmpty();
        assertThat(kinds.example(2)).isEqualTo(3);
    }

    @Test
    void shouldSayWhichNodesAreInEachPartition() {
        assertThat(kinds.byPartition(all())).containsOnlyKeys("left", "right");
        assertThat(kinds.byPartition(all()).get("left")).isEqualTo(nodes(0, 1));
        assertThat(kinds.byPartition(all()).get("right")).isEqualTo(nodes(2, 3, 4));
        assertThat(kinds.byPartition(nodes(3))).containsOnlyKeys("right");
        assertThat(kinds.byPartition(nodes(3)).get("right")).isEqualTo(nodes(3));
    }

    @Test
    void shouldLeaveOutNodesOnWhichNothingCanBePlanned() {
        BitSet asked = nodes(1, 2, 4);

        assertThat(kinds.plannable(asked)).isEqualTo(nodes(1, 2));
        assertThat(asked).as("what was asked for").isEqualTo(nodes(1, 2, 4));
    }

    private static BitSet all() {
        return nodes(0, 1, 2, 3, 4);
    }

    private static BitSet nodes(int... positions) {
        BitSet nodes = new BitSet();
        for (int position : positions) {
            nodes.set(position);
        }
        return nodes;
    }
}
