package io.weir.scheduler.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.plan.TestCluster;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final TestCluster cluster = new TestCluster().nodes(20, 1);

    @Test
    void shouldHoldWhatIsSaidOfEachNodeHoweverManyThereAre() {
        Candidates candidates = new Candidates(cluster.nodes, 2);
        for (int i = 0; i < 20; i++) {
            candidates.add(i, i + 1, 100 + i, 200 + i, i % 2 == 0 ? NodeAffinity.NONE : NodeAffinity.POSITIVE);
        }

        assertThat(candidates.size()).isEqualTo(20);
        for (int i = 0; i < 20; i++) {
            assertThat(candidates.position(i)).isEqualTo(i);
            assertThat(candidates.node(i)).isSameAs(cluster.nodes.at(i));
            assertThat(candidates.tasks(i)).isEqualTo(i + 1);
            assertThat(candidates.availableSince(i)).isEqualTo(100 + i);
            assertThat(candidates.slack(i)).isEqualTo(200 + i);
            assertThat(candidates.affinity(i)).isEqualTo(i % 2 == 0 ? NodeAffinity.NONE : NodeAffinity.POSITIVE);
        }
        assertThat(candidates.nodes()).isSameAs(cluster.nodes);
        assertThat(candidates.totalTasks()).isEqualTo(210);
    }

    @Test
    void shouldLeaveOutTheOthers() {
        Candidates candidates = new Candidates(cluster.nodes, 3);
        candidates.add(0, 1, 10, 11, NodeAffinity.NONE);
        candidates.add(1, 2, 20, 21, NodeAffinity.NEGATIVE);
        candidates.add(4, 3, 30, 31, NodeAffinity.REQUIRED);

        Candidates some = candidates.only(new int[] {0, 2});

        assertThat(some.size()).isEqualTo(2);
        assertThat(some.position(1)).isEqualTo(4);
        assertThat(some.tasks(1)).isEqualTo(3);
        assertThat(some.availableSince(1)).isEqualTo(30);
        assertThat(some.slack(1)).isEqualTo(31);
        assertThat(some.affinity(1)).isEqualTo(NodeAffinity.REQUIRED);
        assertThat(some.totalTasks()).isEqualTo(4);
    }
}
