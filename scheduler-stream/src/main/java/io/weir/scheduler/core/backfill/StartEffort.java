package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.reservation.ReservationAccess;
import java.util.Arrays;

/**
 * What it takes to start a job, in nodes looked at. It follows from the state after the start alone, not from how the plan came
 * about, so that a scheduler that was rebuilt counts the same.
 */
final class StartEffort {
    /** What a start costs wherever it is: the command, the decision and the job's record, in nodes. */
    static final long PER_START = 100;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final ReservationAccess access;
    private final NodeSets sets;

    StartEffort(JobTable jobs, NodeTable nodes, Placement placement, ReservationAccess access, NodeSets sets) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        this.access = access;
        this.sets = sets;
    }

    /** Returns what it took to start the job with {@code id}. */
    long of(String id) {
        Job job = jobs.get(id);
        return PER_START + (job == null ? nodes.openCount() : looks(job));
    }

    /**
     * The nodes with something free are looked at: up to the last that the job took where it took the first with room, or else
     * all of them.
     */
    private int looks(Job job) {
        int[] positions = job.positions(nodes);
        int first = Arrays.stream(positions).min().orElse(-1);
        if (first < 0
                || !access.open()
                || sets.rules(job.request()) != null
                || nodes.statistics().divided()) {
            return nodes.openCount();
        }
        return switch (placement.filledFrom(job, first)) {
            case ASCENDING -> nodes.openCount(0, Arrays.stream(positions).max().getAsInt() + 1);
            case DESCENDING -> nodes.openCount(first, nodes.size());
            case NONE -> nodes.openCount();
        };
    }
}
