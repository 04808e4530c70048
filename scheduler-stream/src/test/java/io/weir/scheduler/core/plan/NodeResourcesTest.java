package io.weir.scheduler.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.TaskNeed;
import io.weir.schemas.NameCount;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes: four amounts, presence, then gpu, licence (which floats), and the classes batch and test. */
class NodeResourcesTest {
    private static final int HERE = TaskNeed.PRESENCE;

    /** Always enough. */
    private static final int MOST = Integer.MAX_VALUE / 4;

    private final TestCluster cluster = new TestCluster()
            .node(EffectiveNode.GLOBAL, 1, node -> node.setGres(List.of(new NameCount("licence", 7L))))
            .node(
                    "n1",
                    8,
                    node -> node.setMemoryMb(800)
                            .setSwapMb(1600)
                            .setDiskMb(80)
                            .setGres(List.of(new NameCount("gpu", 2L))))
            .node("n2", 4, node -> node.setClasses(List.of(new NameCount("batch", 3L))))
            .node("n3", 4, node -> node.setClasses(List.of(new NameCount("test", 3L))));
    private final NodeResources resources = new NodeResources(cluster.nodes);

    @Test
    void shouldNumberWhatNodesHave() {
        assertThat(resources.count()).isEqualTo(9);
        assertThat(resources.generic("gpu")).isEqualTo(5);
        assertThat(resources.generic("licence")).isEqualTo(6);
        assertThat(resources.generic("tape")).isNull();
    }

    /** Of what floats there is enough everywhere; a node without classes limits none, one with others takes none. */
    @Test
    void shouldKnowWhatEachNodeHas() {
        assertThat(capacity("n1")).containsExactly(8, 800, 1600, 80, HERE, 2, MOST, MOST, MOST);
        assertThat(capacity("n2")).containsExactly(4, 0, 0, 0, HERE, 0, MOST, 3, 0);
        assertThat(capacity("n3")).containsExactly(4, 0, 0, 0, HERE, 0, MOST, 0, 3);
    }

    @Test
    void shouldSumUpAResource() {
        assertThat(resources.total(NodeResources.PROCS)).isEqualTo(16);
        assertThat(resources.total(NodeResources.MEMORY)).isEqualTo(800);
    }

    @Test
    void shouldHoldAmountsBeyondAnIntForEnough() {
        NodeResources large =
                new NodeResources(new TestCluster().node("n1", 1, node -> node.setMemoryMb(1L << 40)).nodes);

        assertThat(large.capacity()[NodeResources.MEMORY]).isEqualTo(MOST);
    }

    @Test
    void shouldAddWhatAJobHolds() {
        int[] sum = new int[18];
        NodeShare share = new NodeShare("n1", 2, new Capacity(3, 10, 20, 30), gres(Map.of("gpu", 1L, "tape", 9L)));
        resources.add(share, "batch", sum, 9);
        resources.add(share, null, sum, 9);
        resources.add(share, "other", sum, 9);

        assertThat(sum).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 30, 60, 90, 3, 3, 0, 2, 0);
    }

    @Test
    void shouldCountTasksInTheClassesTheyHaveOfTheirOwn() {
        NodeShare share = new NodeShare(
                "n1",
                7,
                new Capacity(7, 0, 0, 0),
                new TreeMap<>(),
                new TreeMap<>(Map.of("batch", 2, "none", 1, NodeShare.SEVERAL, 1)));
        int[] sum = new int[27];
        resources.add(share, "test", sum, 0);
        resources.add(share, "batch", sum, 9);
        resources.add(share, null, sum, 18);

        assertThat(sum)
                .containsExactly(7, 0, 0, 0, 1, 0, 0, 2, 3, 7, 0, 0, 0, 1, 0, 0, 5, 0, 7, 0, 0, 0, 1, 0, 0, 2, 0);
    }

    @Test
    void shouldTakeAJobWhoseTasksAreNotKnownForOneTask() {
        int[] sum = new int[9];
        resources.add(new NodeShare("n1", 0, new Capacity(3, 0, 0, 0), new TreeMap<>()), "test", sum, 0);

        assertThat(sum).containsExactly(3, 0, 0, 0, 1, 0, 0, 0, 1);
    }

    @Test
    void shouldSayWhatATaskTakes() {
        TaskResources each = new TaskResources(2, 10, 20, 30, gres(Map.of("gpu", 1L, "tape", 9L)));

        assertThat(need(each, null, false, false).full()).containsExactly(2, 10, 20, 30, 1, 1, 0, 0, 0);
        assertThat(resources
                        .need(Requirement.ofProcs(1, 1), "batch", NodeSharing.AS_THE_NODE_SAYS, false, false)
                        .full())
                .containsExactly(1, 0, 0, 0, 1, 0, 0, 1, 0);
    }

    /** Exactly so many on a node, or at least so many, or any number. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, false, 7, 7",
                "-, false, 0, 0",
                "3, false, 7, 6",
                "3, false, 2, 0",
                "3, true, 7, 7",
                "3, true, 2, 0"
            })
    void shouldPutAsManyTasksOnANodeAsTheRequirementSays(
            @Nullable Integer perNode, boolean atLeast, int feasible, int usable) {
        assertThat(need(TaskResources.ofProcs(1), perNode, atLeast, false).usable(feasible))
                .isEqualTo(usable);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "false, -, false, 0, false, 2147483647",
                "true, -, false, 0, false, 1",
                "false, -, false, 5, false, 5",
                "true, -, false, 5, false, 1",
                "false, 3, false, 0, true, 3",
                "false, 3, false, 2, true, 2",
                "false, 3, true, 0, true, 2147483647",
                "false, 3, false, 0, false, 2147483647"
            })
    void shouldPutNoMoreTasksOnANodeThanItMayHave(
            boolean single, @Nullable Integer perNode, boolean atLeast, int mostTasks, boolean exactNode, int most) {
        Requirement requirement = new Requirement(
                6, TaskResources.ofProcs(1), NodeDemands.NONE, null, perNode, atLeast, new NodeCount(0, 0, mostTasks));

        assertThat(resources
                        .need(requirement, null, NodeSharing.AS_THE_NODE_SAYS, single, exactNode)
                        .most())
                .isEqualTo(most);
    }

    /** Powers of four. */
    @ParameterizedTest
    @CsvSource({"1, 1", "3, 1", "4, 4", "15, 4", "16, 16", "63, 16"})
    void shouldRoundTheProcessorsOfAFloorDown(int procs, int floor) {
        assertThat(floor(TaskResources.ofProcs(procs), null)).containsExactly(floor, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** A node of 8 processors has 100 MB for each. */
    @Test
    void shouldKeepInAFloorWhatIsScarcerThanProcessors() {
        assertThat(floor(new TaskResources(1, 100, 0, 0, new TreeMap<>()), null)[NodeResources.MEMORY])
                .isZero();
        assertThat(floor(new TaskResources(1, 101, 0, 0, new TreeMap<>()), null)[NodeResources.MEMORY])
                .isEqualTo(101);
        assertThat(floor(new TaskResources(1, 101, 0, 0, new TreeMap<>()), 4)).startsWith(4, 404);
        assertThat(floor(new TaskResources(1, 0, 0, 0, gres(Map.of("gpu", 1L))), null)[5])
                .isEqualTo(1);
    }

    @Test
    void shouldTakeProcessorsAlone() {
        assertThat(NodeResources.procsOnly(new int[] {3, 4, 5})).containsExactly(3, 0, 0);
    }

    private int[] floor(TaskResources each, @Nullable Integer perNode) {
        int[] group = {cluster.nodes.position("n1")};
        return resources.floor(need(each, perNode, false, false), group).full();
    }

    private TaskNeed need(TaskResources each, @Nullable Integer perNode, boolean atLeast, boolean single) {
        return resources.need(
                new Requirement(6, each, NodeDemands.NONE, null, perNode, atLeast),
                null,
                NodeSharing.AS_THE_NODE_SAYS,
                single,
                false);
    }

    private int[] capacity(String node) {
        int at = cluster.nodes.position(node) * resources.count();
        return Arrays.copyOfRange(resources.capacity(), at, at + resources.count());
    }

    private static SortedMap<String, Long> gres(Map<String, Long> amounts) {
        return new TreeMap<>(amounts);
    }
}
