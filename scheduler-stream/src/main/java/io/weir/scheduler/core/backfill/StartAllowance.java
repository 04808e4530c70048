package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.node.NodeTable;

/**
 * How many jobs one iteration may start, so that thousands that can start at once, on a cluster that was just repaired say, do
 * not keep the next facts waiting for a minute. A start looks at the nodes with free processors, so it is these that are
 * counted: at every start as many as there are then. That follows from the state alone, not from how the plan came about.
 */
final class StartAllowance {
    /** Nodes that all starts of an iteration may look at: a tenth of a second or so. */
    static final long MOST = 200_000;

    private final NodeTable nodes;
    private final long most;
    private long used;

    StartAllowance(NodeTable nodes, long most) {
        this.nodes = nodes;
        this.most = most;
    }

    /** Counts a start. */
    void started() {
        used += 1 + nodes.openCount();
    }

    /** Returns whether no other job may start in this iteration; at least one did. */
    boolean spent() {
        return used >= most;
    }
}
