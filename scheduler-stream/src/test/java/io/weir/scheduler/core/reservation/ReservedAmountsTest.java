package io.weir.scheduler.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.job.TestJob;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.plan.TestCluster;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Node n1 has 8 processors and 800 MB; ann's jobs belong to the reservations, bob's do not. It is 1000. */
class ReservedAmountsTest {
    private static final long NOW = 1_000;
    private static final long END = 2_000;

    private final TestCluster cluster = new TestCluster()
            .node("n1", 8, node -> node.setMemoryMb(800).setSwapMb(1600).setDiskMb(80));
    private final AdministrativeReservationTable table = new AdministrativeReservationTable();
    private final ReservedAmounts amounts = new ReservedAmounts(
            table,
            cluster.nodes,
            cluster.jobs,
            (job, reservation) -> "ann".equals(job.request().credentials().user()));

    @Test
    void shouldKeepAClosedReservationToItsEnd() {
        assertThat(closed(reserved("r", NOW - 10, END, 4))).containsExactly(block(NOW, END, 4));
        assertThat(closed(reserved("r", NOW + 10, END, 4))).containsExactly(block(NOW + 10, END, 4));
    }

    @Test
    void shouldKeepNothingOfAReservationThatIsOverOrHasNoLengthOrLiesElsewhere() {
        assertThat(closed(reserved("r", 0, NOW, 4))).isEmpty();
        assertThat(closed(reserved("r", END, END, 4))).isEmpty();
        assertThat(closed(TestReservation.of("r", 0, END, "USER==ann", TestReservation.on("n2", 4))))
                .isEmpty();
    }

    @Test
    void shouldKeepEveryResource() {
        AdministrativeReservation all = TestReservation.of(
                "r", NOW, END, "USER==ann", new ReservedNode("n1", 1, new Capacity(1, 200, 300, 40)));

        assertThat(closed(all)).containsExactly(new NodeBlock(NOW, END, new Capacity(1, 200, 300, 40)));
    }

    @Test
    void shouldKeepWhatIsLeftUntilAJobOfTheReservationEnds() {
        running("a", "ann", 3, 500);

        assertThat(closed(reserved("r", NOW, END, 4)))
                .containsExactly(block(NOW, NOW + 500, 1), block(NOW + 500, END, 4));
    }

    @Test
    void shouldTakeOffWhatJobsHoldOfEveryResource() {
        TaskResources resources = new TaskResources(1, 50, 60, 70, new TreeMap<>());
        put(TestJob.running(
                "a",
                NOW,
                report -> report.setWalltimeSeconds(5_000L)
                        .setRequirements(
                                List.of(new Requirement(1, resources, NodeDemands.NONE, null, null, false).toRecord())),
                new NodeAllocation("n1", 1)));
        AdministrativeReservation all = TestReservation.of(
                "r", NOW, END, "USER==ann", new ReservedNode("n1", 1, new Capacity(4, 200, 300, 80)));

        assertThat(closed(all)).containsExactly(new NodeBlock(NOW, END, new Capacity(3, 150, 240, 10)));
    }

    @Test
    void shouldTakeOffWhatSeveralJobsHoldTogether() {
        running("a", "ann", 1, 5_000);
        running("c", "ann", 2, 5_000);

        assertThat(closed(reserved("r", NOW, END, 4))).containsExactly(block(NOW, END, 1));
    }

    @Test
    void shouldKeepAllOfItBesideTheJobsOfOthers() {
        running("b", "bob", 3, 500);

        assertThat(closed(reserved("r", NOW, END, 4))).containsExactly(block(NOW, END, 4));
    }

    @Test
    void shouldKeepNothingWhereItsJobsHoldAllOfIt() {
        running("a", "ann", 4, 500);

        assertThat(closed(reserved("r", NOW, END, 4))).containsExactly(block(NOW + 500, END, 4));
    }

    @Test
    void shouldKeepNoLessThanNothingWhereItsJobsHoldMore() {
        running("a", "ann", 6, 5_000);

        assertThat(closed(reserved("r", NOW, END, 4))).isEmpty();
    }

    /** The job may still be there in this second. */
    @Test
    void shouldCountAJobBeyondItsLimitForOneSecondMore() {
        put(TestJob.running("a", 0, user("ann", 100), new NodeAllocation("n1", 3)));

        assertThat(closed(reserved("r", NOW, END, 4))).containsExactly(block(NOW, NOW + 1, 1), block(NOW + 1, END, 4));
    }

    @Test
    void shouldNotSplitWhereAJobEndsWithTheReservationOrBeforeItStarts() {
        running("a", "ann", 1, END - NOW);
        running("b", "ann", 1, 100);

        assertThat(closed(reserved("r", NOW + 100, END, 4))).containsExactly(block(NOW + 100, END, 3));
    }

    @Test
    void shouldIgnoreAHolderThatIsNotKnown() {
        Job gone = TestJob.running("a", NOW, user("ann", 500), new NodeAllocation("n1", 3));
        cluster.nodes.hold("a", gone.shares());

        assertThat(closed(reserved("r", NOW, END, 4))).containsExactly(block(NOW, END, 4));
        assertThat(inside(reserved("s", NOW, END, 4)))
                .containsExactly(kept(NOW, END, 4), kept(END, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldListTheBlocksOfEveryClosedReservation() {
        assertThat(closed(reserved("r", NOW, END, 4), reserved("s", NOW + 5, END, 2)))
                .containsExactly(block(NOW, END, 4), block(NOW + 5, END, 2));
    }

    @Test
    void shouldKeepTheWholeNodeOutsideOfTheReservation() {
        assertThat(inside(reserved("r", NOW + 100, END, 2)))
                .containsExactly(kept(NOW, NOW + 100, 8), kept(NOW + 100, END, 6), kept(END, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldKeepTheWholeNodeFromAJobThatHasNoReservationThere() {
        assertThat(inside()).containsExactly(kept(NOW, TimeArgument.FOREVER, 8));
        assertThat(inside(reserved("r", 0, NOW, 4))).containsExactly(kept(NOW, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldKeepLessWhereReservationsOverlap() {
        assertThat(inside(reserved("r", NOW, END, 2), reserved("s", NOW + 100, END + 100, 3)))
                .containsExactly(
                        kept(NOW, NOW + 100, 6),
                        kept(NOW + 100, END, 3),
                        kept(END, END + 100, 5),
                        kept(END + 100, TimeArgument.FOREVER, 8));
    }

    /** What bob holds is taken in any case, so only the rest is kept besides; what ann holds lies in the reservation. */
    @Test
    void shouldNotKeepTwiceWhatJobsOfOthersHoldBesideTheReservation() {
        running("b", "bob", 1, 500);
        running("a", "ann", 2, 300);

        assertThat(inside(reserved("r", NOW, END, 4)))
                .containsExactly(
                        kept(NOW, NOW + 300, 3),
                        kept(NOW + 300, NOW + 500, 3),
                        kept(NOW + 500, END, 4),
                        kept(END, TimeArgument.FOREVER, 8));
    }

    /** It keeps the node as a whole from the job, and no more than that. */
    @Test
    void shouldIgnoreReservationsToStayInsideThatAreOver() {
        assertThat(inside(reserved("r", 0, NOW - 1, 2), reserved("s", NOW, END, 3)))
                .containsExactly(kept(NOW, END, 5), kept(END, TimeArgument.FOREVER, 8));
        assertThat(inside(TestReservation.of("t", NOW, END, "USER==ann", TestReservation.on("n2", 4))))
                .containsExactly(kept(NOW, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldTakeOffEveryResourceThatIsReservedToStayInside() {
        AdministrativeReservation all = TestReservation.of(
                "r", NOW, END, "USER==ann", new ReservedNode("n1", 1, new Capacity(1, 200, 300, 40)));
        table.put(all);

        assertThat(inside(all))
                .containsExactly(
                        new NodeBlock(NOW, END, new Capacity(7, 600, 1300, 40)), kept(END, TimeArgument.FOREVER, 8));
    }

    @Test
    void shouldKeepBothWhatIsClosedAndWhatLiesOutside() {
        AdministrativeReservation closed = reserved("c", NOW, END, 1);
        AdministrativeReservation own = reserved("r", NOW, END, 2);

        assertThat(amounts.blocks(0, NOW, List.of(closed), List.of(own)))
                .containsExactly(block(NOW, END, 1), kept(NOW, END, 6), kept(END, TimeArgument.FOREVER, 8));
    }

    private AdministrativeReservation reserved(String id, long start, long end, int procs) {
        AdministrativeReservation made =
                TestReservation.of(id, start, end, "USER==ann", TestReservation.on("n1", procs));
        table.put(made);
        return made;
    }

    private List<NodeBlock> closed(AdministrativeReservation... closed) {
        for (AdministrativeReservation reservation : closed) {
            table.put(reservation);
        }
        return blocks(List.of(closed), null);
    }

    private List<NodeBlock> inside(AdministrativeReservation... inside) {
        return blocks(List.of(), List.of(inside));
    }

    private List<NodeBlock> blocks(
            List<AdministrativeReservation> closed, @Nullable List<AdministrativeReservation> inside) {
        return amounts.blocks(0, NOW, closed, inside);
    }

    private void running(String id, String user, int procs, long seconds) {
        put(TestJob.running(id, NOW, user(user, seconds), new NodeAllocation("n1", procs)));
    }

    private static Consumer<JobReport.Builder> user(String user, long seconds) {
        return report -> report.setUser(user).setWalltimeSeconds(seconds);
    }

    private void put(Job job) {
        cluster.jobs.put(job);
        cluster.nodes.hold(job.id(), job.shares());
    }

    private static NodeBlock block(long from, long to, int procs) {
        return new NodeBlock(from, to, new Capacity(procs, 0, 0, 0));
    }

    /** A block of a node of which reservations keep processors alone. */
    private static NodeBlock kept(long from, long to, int procs) {
        return new NodeBlock(from, to, new Capacity(procs, 800, 1600, 80));
    }
}
