package io.weir.scheduler.core.reservation.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.reservation.ReservedTasksPerNode;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.TermsEdit;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.ReservationType;
import io.weir.topics.AvroTrust;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullUnmarked
class ReservationNodeSelectorTest {
    static {
        AvroTrust.install();
    }

    private static final long START = 1_000;
    private static final long END = 2_000;

    private final NodeTable nodes = new NodeTable();
    private final JobTable jobs = new JobTable();
    private final AdministrativeReservationTable reservations = new AdministrativeReservationTable();
    private final ReservationNodeSelector selector =
            new ReservationNodeSelector(nodes, jobs, reservations, new ReservationAccess(reservations, nodes, jobs));
    private final TermsEdit terms = new TermsEdit().task(TaskResources.ofProcs(1));
    private BitSet listed;
    private final BitSet excluded = new BitSet();
    private OverlapPolicy most = OverlapPolicy.NOTHING;
    private AdministrativeReservation self;

    @Test
    void shouldTakeTheNodesWithTheLeastResources() {
        node("large", node -> node.setMemoryMb(1024)).node("small", node -> node.setMemoryMb(256));
        assertThat(taken(1)).containsExactly("small");
    }

    @Test
    void shouldTakeTheHighestIndexOfEqualNodes() {
        node("a").node("b");
        assertThat(taken(1)).containsExactly("b");
    }

    @Test
    void shouldTakeTheNodeThatIsReservedAgainSoonestOfEqualNodes() {
        node("a").node("b").reserved("R", "a", END + 10, END + 20);
        assertThat(taken(1)).containsExactly("a");
    }

    @Test
    void shouldTakeListedNodesBeforeSmallerOnes() {
        node("small").node("large", node -> node.setMemoryMb(1024));
        listed = positions("large");
        assertThat(taken(1)).containsExactly("large");
    }

    @Test
    void shouldKeepTheNodesItHas() {
        node("small").node("large", node -> node.setMemoryMb(1024));
        self = reservation("R", "large", START, END);
        assertThat(taken(1)).containsExactly("large");
    }

    @Test
    void shouldTakeNoNodeThatIsExcluded() {
        node("a").node("b");
        excluded.or(positions("b"));
        assertThat(taken(1)).containsExactly("a");
    }

    @Test
    void shouldTakeNoNodeThatIsDown() {
        node("a").node("b", node -> node.setState(NodeState.DOWN));
        assertThat(taken(1)).containsExactly("a");
    }

    @Test
    void shouldTakeNoNodeThatLacksAFeature() {
        node("a", node -> node.setFeatures(List.of("gpu"))).node("b");
        terms.features(List.of("gpu"));
        assertThat(taken(1)).containsExactly("a");
    }

    @Test
    void shouldSayHowManyTasksFoundNoPlaceAndWhatConflicts() {
        node("a").node("b").reserved("R", "b", START, END);
        ReservationNodeSelector.Found found = found(2);
        assertThat(found.missing()).isEqualTo(1);
        assertThat(found.conflicts()).containsExactly("node b: reservation R until 1970-01-01T00:33:20Z");
    }

    @Test
    void shouldTakeNodesWithoutConflictsFirstWhereItMayOverlap() {
        node("a").node("b").reserved("R", "b", START, END);
        most = OverlapPolicy.RESERVATIONS;
        assertThat(taken(1)).containsExactly("a");
        assertThat(taken(2)).containsExactly("a", "b");
    }

    @Test
    void shouldPutNoMoreTasksOnANodeThanTheTermsAllow() {
        node("a", node -> node.setProcs(4)).node("b", node -> node.setProcs(4));
        terms.tasksPerNode(new ReservedTasksPerNode(1, false));
        assertThat(found(2).nodes()).extracting(ReservedNode::tasks).containsExactly(1, 1);
    }

    /** Tasks by node of four that hold 1, 1, 3 and 4; the smallest come first. */
    @ParameterizedTest
    @CsvSource({
        "2, false, 4, 'c=2, d=2'",
        "2, false, 3, 'c=2, d=1'",
        "3, false, 6, 'c=3, d=3'",
        "4, false, 4, 'd=4'",
        "2, true, 4, 'c=2, d=2'",
        "3, true, 4, 'd=4'",
        "3, true, 6, 'c=3, d=3'",
        "2, true, 7, 'c=3, d=4'",
        "2, true, 3, 'c=3'",
    })
    void shouldPassOverNodesThatHoldFewerTasksThanEachHasToTake(
            int number, boolean atLeast, int tasks, String expected) {
        nodesOfSeveralSizes();
        terms.tasksPerNode(new ReservedTasksPerNode(number, atLeast));
        ReservationNodeSelector.Found found = found(tasks);

        assertThat(found.missing()).isZero();
        assertThat(found.nodes().stream().map(node -> node.nodeId() + "=" + node.tasks()))
                .containsExactly(expected.split(", "));
    }

    @Test
    void shouldFindNoNodesWhenNoneTakesAsManyTasks() {
        nodesOfSeveralSizes();
        terms.tasksPerNode(new ReservedTasksPerNode(5, true));
        assertThat(found(5).nodes()).isEmpty();
        assertThat(found(0).nodes()).isEmpty();
    }

    @Test
    void shouldTakeOneTaskThatIsAWholeNodeHoweverManyEachHasToTake() {
        nodesOfSeveralSizes();
        terms.task(null).tasksPerNode(new ReservedTasksPerNode(2, false));
        assertThat(taken(4)).containsExactly("a", "b", "c", "d");
    }

    private void nodesOfSeveralSizes() {
        node("a").node("b").node("c", node -> node.setProcs(3)).node("d", node -> node.setProcs(4));
    }

    @Test
    void shouldTakeEveryListedNodeWithoutATaskCount() {
        node("a").node("b").node("c");
        listed = positions("a", "c");
        assertThat(taken(0)).containsExactly("a", "c");
    }

    private ReservationNodeSelectorTest node(String id) {
        return node(id, node -> {});
    }

    private ReservationNodeSelectorTest node(String id, Consumer<NodeReport.Builder> more) {
        NodeReport.Builder report = NodeReport.newBuilder()
                .setCluster("c")
                .setNodeId(id)
                .setState(NodeState.IDLE)
                .setProcs(1);
        more.accept(report);
        nodes.put(Node.reported(report.build(), null, 0, null, nodes.size() + 1, 0));
        return this;
    }

    private void reserved(String id, String node, long from, long to) {
        reservations.put(reservation(id, node, from, to));
    }

    private AdministrativeReservation reservation(String id, String node, long from, long to) {
        ReservedNode whole =
                ReservationNodeSelector.reserved(new TermsEdit().done(), nodes.at(nodes.position(node)), 1);
        return AdministrativeReservation.made(
                id, ReservationType.ADMINISTRATIVE, new TermsEdit().done(), from, to, List.of(whole), 0);
    }

    private BitSet positions(String... ids) {
        BitSet positions = new BitSet();
        for (String id : ids) {
            positions.set(nodes.position(id));
        }
        return positions;
    }

    private List<String> taken(int tasks) {
        return found(tasks).nodes().stream().map(ReservedNode::nodeId).toList();
    }

    private ReservationNodeSelector.Found found(int tasks) {
        return selector.choose(new ReservationNodeSelector.Demand(
                terms.tasks(tasks).done(), START, END, listed, excluded, most, self, false));
    }
}
