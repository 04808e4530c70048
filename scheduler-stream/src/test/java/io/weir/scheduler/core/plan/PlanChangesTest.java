package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.policy.SitePolicy;
import org.junit.jupiter.api.Test;

/** Of nodes n1 to n3, n1 is taken by a job whose limit ends at 100. */
class PlanChangesTest {
    private final TestCluster cluster = new TestCluster().nodes(3, 2).running("a", 2, "n1", 0, 100);
    private final PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
    private final PlanChanges changes = new PlanChanges(cluster.jobs, cluster.nodes, keys, cluster.placement);

    PlanChangesTest() {
        keys.refresh(SitePolicy.DEFAULT);
    }

    @Test
    void shouldLookAtAllNodesAtFirst() {
        assertThat(changes.incomparable()).isTrue();
        assertThat(changes.since(0).stream()).containsExactly(0, 1, 2);
        assertThat(changes.incomparable()).isFalse();
        assertThat(changes.since(1).stream()).isEmpty();
    }

    @Test
    void shouldLookAtNodesOnWhichJobsStarted() {
        changes.since(0);
        cluster.running("b", 1, "n3", 10, 100);

        assertThat(changes.since(10).stream()).containsExactly(2);
        assertThat(changes.since(11).stream()).isEmpty();
    }

    @Test
    void shouldLookAtAllNodesWhenOneIsNew() {
        changes.since(0);
        cluster.node("n4", 2, 0, "DEFAULT");

        assertThat(changes.incomparable()).isTrue();
        assertThat(changes.since(10).stream()).containsExactly(0, 1, 2, 3);
    }

    /** The end of what it holds moves on with time. */
    @Test
    void shouldLookAtTheNodesOfAJobThatIsOverItsLimit() {
        cluster.running("b", 1, "n3", 0, 200);
        changes.since(0);

        assertThat(changes.since(99).stream()).isEmpty();
        assertThat(changes.since(100).stream()).containsExactly(0);
        assertThat(changes.since(150).stream()).containsExactly(0);
    }

    @Test
    void shouldIgnoreNodesOfJobsThatAreNotKnown() {
        cluster.running("b", 1, "n9", 0, 50);
        changes.since(0);

        assertThat(changes.since(60).stream()).isEmpty();
    }

    @Test
    void shouldLookAtNodesThatAreOrWereAssumedToBeInUse() {
        changes.since(0);
        cluster.placement.assumed.set(1);
        assertThat(changes.since(1).stream()).containsExactly(1);

        cluster.placement.assumed.clear(1);
        cluster.placement.assumed.set(2);
        assertThat(changes.since(2).stream()).containsExactly(1, 2);
        cluster.placement.assumed.clear(2);
        assertThat(changes.since(3).stream()).containsExactly(2);
    }

    @Test
    void shouldNotNameNodesThatAreGone() {
        cluster.placement.assumed.set(2);
        changes.since(0);
        cluster.placement.assumed.clear(2);
        cluster.nodes.remove("n3");

        assertThat(changes.since(1).stream()).containsExactly(0, 1);
    }
}
