package io.weir.rm.simulated;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import org.jspecify.annotations.Nullable;

/**
 * One node of the simulated machine. {@code 0 <= used <= procs} always; a node that is down has no jobs. Changed only by
 * {@link SimulatedCluster}.
 */
final class SimulatedNode {
    private static final String DOWN_REASON = "NODE_FAIL";

    private final String cluster;
    private final String name;
    private final int index;
    private final int procs;
    private final boolean reportUsage;
    private int used;
    private boolean up = true;

    /** The report of the present state, made when first asked for. */
    private @Nullable NodeReport report;

    SimulatedNode(String cluster, String name, int index, int procs, boolean reportUsage) {
        this.cluster = cluster;
        this.name = name;
        this.index = index;
        this.procs = procs;
        this.reportUsage = reportUsage;
    }

    boolean isUp() {
        return up;
    }

    int free() {
        return up ? procs - used : 0;
    }

    void take(int count) {
        if (used + count > procs) {
            throw new IllegalStateException(name + " has " + procs + " processors, " + used + " in use, " + count
                    + " more were given away: the ledger is wrong");
        }
        used += count;
        usageChanged();
    }

    void giveBack(int count) {
        if (count > used) {
            throw new IllegalStateException(
                    name + " has " + used + " processors in use, " + count + " came back: the ledger is wrong");
        }
        used -= count;
        usageChanged();
    }

    void setUp(boolean nowUp) {
        up = nowUp;
        report = null;
    }

    private void usageChanged() {
        if (reportUsage) {
            report = null;
        }
    }

    /** Returns the report of the present state; the same object until the state changes. */
    NodeReport report() {
        if (report == null) {
            report = NodeReport.newBuilder()
                    .setCluster(cluster)
                    .setNodeId(name)
                    .setIndex(index)
                    .setState(state())
                    .setProcs(procs)
                    .setReason(up ? null : DOWN_REASON)
                    .build();
        }
        return report;
    }

    private NodeState state() {
        if (!up) {
            return NodeState.DOWN;
        }
        if (!reportUsage || used == 0) {
            return NodeState.IDLE;
        }
        return used == procs ? NodeState.BUSY : NodeState.RUNNING;
    }
}
