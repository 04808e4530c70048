package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Placement;
import java.util.BitSet;

/**
 * Which nodes a plan has to look at anew when it starts over, and which it can leave as the last one found them: a node
 * that is what it was, on which the same jobs run with ends still ahead, has the same to give.
 */
final class PlanChanges {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final PlanKeyTable planKeys;
    private final Placement placement;

    /** What the nodes, and the resources they are counted in, were when this was last asked. */
    private long seen;

    private long layout = -1;
    private long edition = -1;

    /** The nodes assumed to be in use then. */
    private BitSet assumed = new BitSet();

    PlanChanges(JobTable jobs, NodeTable nodes, PlanKeyTable planKeys, Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.planKeys = planKeys;
        this.placement = placement;
    }

    /** Returns whether the nodes are others than at the last call of {@link #since}, or counted in another way. */
    boolean incomparable() {
        return layout != nodes.layout() || edition != planKeys.edition();
    }

    /**
     * Returns the positions of the nodes to look at anew at {@code now}: those that changed since the last call, that are or
     * were assumed to be in use, or on which a job is over its limit, so that its end moves on with time; all when they are
     * incomparable. The caller adds those it changed itself.
     */
    BitSet since(long now) {
        int size = nodes.size();
        BitSet changed = incomparable() ? all(size) : nodes.changedSince(seen);
        layout = nodes.layout();
        edition = planKeys.edition();
        seen = nodes.changes();
        changed.or(assumed);
        assumed = (BitSet) placement.assumed().clone();
        changed.or(assumed);
        for (Job job : jobs.active()) {
            if (job.plannedEnd() > now) {
                break;
            }
            for (int position : job.positions(nodes)) {
                if (position >= 0) {
                    changed.set(position);
                }
            }
        }
        changed.clear(size, Math.max(size, changed.length()));
        return changed;
    }

    static BitSet all(int size) {
        BitSet all = new BitSet(size);
        all.set(0, size);
        return all;
    }
}
