package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.IndexOrder;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.Arrays;

/**
 * What it takes to start a job, in nodes looked at. It follows from the state after the start alone, not from how the plan came
 * about, so that a scheduler that was rebuilt counts the same.
 */
final class StartEffort {
    /** What a start costs wherever it is: the command, the decision and the job's record, in nodes. */
    static final long PER_START = 100;

    /** So few nodes with something free all count: which of them were looked at matters less than it takes to say. */
    private static final int FEW = 100;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final ReservationTable reservations;
    private final ReservationAccess access;
    private final NodeSets sets;

    StartEffort(
            JobTable jobs,
            NodeTable nodes,
            ReservationTable reservations,
            Placement placement,
            ReservationAccess access,
            NodeSets sets) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.reservations = reservations;
        this.placement = placement;
        this.access = access;
        this.sets = sets;
    }

    /** Returns what it took to start the job with {@code id}. */
    long of(String id) {
        Job job = jobs.get(id);
        int open = nodes.openCount();
        if (job == null) {
            return PER_START + open;
        }
        return PER_START + (open <= FEW ? open : looks(job)) * (1 + MoldableStart.sizesTried(job, nodes));
    }

    /**
     * The nodes with something free are looked at: up to the last that the job took where it took the first with room, and from
     * above those on which something is reserved as well, or else all of them. For a job that took the first node with room for all
     * of its tasks it is the same, up to that node.
     */
    private long looks(Job job) {
        int[] positions = job.positions(nodes);
        int first = Arrays.stream(positions).min().orElse(-1);
        if (first < 0
                || !access.open()
                || sets.rules(job.request()) != null
                || nodes.statistics().divided()) {
            return nodes.openCount();
        }
        IndexOrder order = positions.length == 1 ? placement.wholeFrom(job, first) : IndexOrder.NONE;
        return switch (order == IndexOrder.NONE ? placement.filledFrom(job, first) : order) {
            case ASCENDING -> nodes.openCount(0, Arrays.stream(positions).max().getAsInt() + 1);
            case DESCENDING ->
                Math.min(nodes.openCount(), nodes.openCount(first, nodes.size()) + reservations.places());
            case NONE -> nodes.openCount();
        };
    }
}
