package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes take nothing now for another reason than their jobs: their state, too much load, or memory that others use. Followed
 * from iteration to iteration by what changed; plans ask about all nodes again and again.
 */
final class BusyNodes {
    /** An odd number, as good as random, by which numbers of sets of nodes differ. */
    private static final long POSITION_FACTOR = 0x9E3779B97F4A7C15L;

    private final NodeTable nodes;
    private final Availability availability;
    private final BitSet busy = new BitSet();

    /** Where more was assumed to be in use than was measured when last looked at. */
    private BitSet assumed = new BitSet();

    private @Nullable SitePolicy policy;
    private long layout;
    private long seen;

    BusyNodes(NodeTable nodes, Availability availability) {
        this.nodes = nodes;
        this.availability = availability;
    }

    /** Looks at the nodes that may have changed their answer, under the policy {@code inForce}. */
    @SuppressWarnings("ReferenceEquality")
    void follow(SitePolicy inForce) {
        BitSet judged = nodes.statistics().judged();
        BitSet present = (BitSet) availability.assumed().clone();
        BitSet changed;
        if (inForce != policy || layout != nodes.layout()) {
            busy.clear();
            changed = judged;
        } else {
            changed = nodes.changedSince(seen);
            changed.or(assumed);
            changed.or(present);
        }
        int size = nodes.size();
        for (int i = changed.nextSetBit(0); i >= 0 && i < size; i = changed.nextSetBit(i + 1)) {
            busy.set(i, judged.get(i) && availability.busy(i));
        }
        assumed = present;
        policy = inForce;
        layout = nodes.layout();
        seen = nodes.changes();
    }

    /** Returns whether the node at {@code position} is one of them, with what happened to it in this iteration. */
    boolean contains(int position) {
        if (layout != nodes.layout() || nodes.changedSince(seen, position) || availability.promises()) {
            return availability.busy(position);
        }
        return busy.get(position);
    }

    /**
     * Returns a number that tells which of those that jobs are planned on later were among them when they were followed; 0 for
     * none. By all odds it differs where others were.
     */
    long delayed() {
        long which = 0;
        for (int i = busy.nextSetBit(0); i >= 0; i = busy.nextSetBit(i + 1)) {
            if (nodes.at(i).plannable()) {
                which = which * POSITION_FACTOR + i + 1;
            }
        }
        return which;
    }
}
