package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes take nothing now for another reason than their jobs, though jobs are planned on them later: they are drained or
 * busy, have too much load, or others use their memory. Followed from iteration to iteration by what changed.
 */
final class DelayedNodes {
    /** An odd number, as good as random, by which numbers of sets of nodes differ. */
    private static final long POSITION_FACTOR = 0x9E3779B97F4A7C15L;

    private final NodeTable nodes;
    private final Availability availability;
    private final BitSet delayed = new BitSet();

    /** Where more was assumed to be in use than was measured when last looked at. */
    private BitSet assumed = new BitSet();

    private @Nullable SitePolicy policy;
    private long layout;
    private long seen;

    DelayedNodes(NodeTable nodes, Availability availability) {
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
            delayed.clear();
            changed = judged;
        } else {
            changed = nodes.changedSince(seen);
            changed.or(assumed);
            changed.or(present);
        }
        int size = nodes.size();
        for (int i = changed.nextSetBit(0); i >= 0 && i < size; i = changed.nextSetBit(i + 1)) {
            delayed.set(i, judged.get(i) && nodes.at(i).plannable() && availability.busy(i));
        }
        assumed = present;
        policy = inForce;
        layout = nodes.layout();
        seen = nodes.changes();
    }

    /** Returns a number that tells which they are; 0 for none. By all odds it differs where others are. */
    long number() {
        long which = 0;
        for (int i = delayed.nextSetBit(0); i >= 0; i = delayed.nextSetBit(i + 1)) {
            which = which * POSITION_FACTOR + i + 1;
        }
        return which;
    }
}
