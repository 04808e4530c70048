package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Names for slots on nodes that are followed as one; it is 100 now, and the highest positions are taken first. */
class NodeAssignerTest {
    private static final long NOW = 100;

    private final TestCluster cluster = new TestCluster();

    /** Names slots of single-processor tasks, of which nothing but their number counts. */
    private SortedMap<String, Slot> name(Map<String, Slot> slots, Slot... fixed) {
        PlanKeyTable keys = new PlanKeyTable(cluster.nodes, cluster.placement, new NodeSets(cluster.nodes));
        NodeBuckets buckets = new NodeBuckets(cluster.jobs, cluster.nodes, cluster.placement, cluster.access, keys);
        keys.refresh(SitePolicy.DEFAULT);
        buckets.form(keys.resources().capacity(), keys.resources().capacity());
        return new NodeAssigner(buckets, cluster.nodes, cluster.jobs, NOW, List.of(fixed)).name(new TreeMap<>(slots));
    }

    private static Slot slot(long start, long seconds, TaskShare... shares) {
        return new Slot(start, seconds, shares.length, List.of(shares), null);
    }

    private static TaskShare tasks(int position, int tasks) {
        return new TaskShare(position, 0, tasks);
    }

    @Test
    void shouldFillTheHighestNodesFirst() {
        cluster.nodes(3, 2);

        Slot named = name(Map.of("a", slot(NOW, 50, tasks(0, 3)))).get("a");

        assertThat(named.start()).isEqualTo(NOW);
        assertThat(named.seconds()).isEqualTo(50);
        assertThat(named.shares()).containsExactly(tasks(2, 2), tasks(1, 1));
    }

    @Test
    void shouldNameSlotsInTheOrderOfTheirStarts() {
        cluster.nodes(2, 1);

        SortedMap<String, Slot> named =
                name(Map.of("later", slot(120, 50, tasks(0, 1)), "sooner", slot(100, 50, tasks(0, 1))));

        assertThat(named.get("sooner").shares()).containsExactly(tasks(1, 1));
        assertThat(named.get("later").shares()).containsExactly(tasks(0, 1));
    }

    @Test
    void shouldTakeANodeAgainAtTheEndOfASlot() {
        cluster.nodes(2, 1);

        SortedMap<String, Slot> named =
                name(Map.of("first", slot(100, 50, tasks(0, 1)), "next", slot(150, 50, tasks(0, 1))));

        assertThat(named.get("first").shares()).containsExactly(tasks(1, 1));
        assertThat(named.get("next").shares()).containsExactly(tasks(1, 1));
    }

    @Test
    void shouldLeaveRunningJobsWhatTheyHold() {
        cluster.nodes(2, 2).running("r", 1, "n2", 0, 200);

        SortedMap<String, Slot> named =
                name(Map.of("now", slot(NOW, 500, tasks(0, 2)), "then", slot(200, 50, tasks(0, 1))));

        assertThat(named.get("now").shares()).containsExactly(tasks(1, 1), tasks(0, 1));
        assertThat(named.get("then").shares()).as("what the job gave back").containsExactly(tasks(1, 1));
    }

    /** Its end is the next second, whenever that is. */
    @Test
    void shouldNotNameWhatAJobHoldsThatIsOverItsLimit() {
        cluster.nodes(2, 1).running("r", 1, "n2", 0, 50);

        SortedMap<String, Slot> named =
                name(Map.of("now", slot(NOW, 50, tasks(0, 1)), "next", slot(NOW + 1, 50, tasks(0, 1))));

        assertThat(named.get("now").shares()).containsExactly(tasks(0, 1));
        assertThat(named.get("next").shares()).containsExactly(tasks(1, 1));
    }

    @Test
    void shouldIgnoreWhatJobsHoldOfNodesThatAreNotKnown() {
        cluster.nodes(2, 1).running("r", 1, "n9", 0, 200);

        assertThat(name(Map.of("a", slot(NOW, 50, tasks(0, 2)))).get("a").shares())
                .containsExactly(tasks(1, 1), tasks(0, 1));
    }

    @Test
    void shouldLeaveSlotsThatStayWhatTheyHold() {
        cluster.nodes(2, 2);

        SortedMap<String, Slot> named = name(
                Map.of("now", slot(NOW, 500, tasks(0, 1)), "then", slot(300, 50, tasks(0, 2))),
                slot(NOW, 200, tasks(1, 2)));

        assertThat(named.get("now").shares()).containsExactly(tasks(0, 1));
        assertThat(named.get("then").shares()).containsExactly(tasks(1, 2));
    }

    @Test
    void shouldNameEachRequirementByItself() {
        cluster.nodes(3, 1);

        Slot named = name(Map.of(
                        "a", slot(NOW, 50, new TaskShare(0, 1, 1), new TaskShare(0, 0, 1), new TaskShare(1, 1, 1))))
                .get("a");

        assertThat(named.shares())
                .containsExactly(new TaskShare(2, 0, 1), new TaskShare(1, 1, 1), new TaskShare(0, 1, 1));
    }

    @Test
    void shouldLeaveSharesAloneThatLieOnANodeOfItsOwn() {
        cluster.nodes(2, 1).node("large", 8, 0, "DEFAULT");

        assertThat(name(Map.of("a", slot(NOW, 50, tasks(0, 1), tasks(2, 5))))
                        .get("a")
                        .shares())
                .containsExactly(tasks(2, 5), tasks(1, 1));
    }

    @Test
    void shouldRefuseToNameMoreThanThereIs() {
        cluster.nodes(2, 1).running("r", 1, "n1", 0, 200);

        assertThatThrownBy(() -> name(Map.of("a", slot(NOW, 50, tasks(0, 1)), "b", slot(NOW, 50, tasks(0, 1)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more is planned at 100");
    }
}
