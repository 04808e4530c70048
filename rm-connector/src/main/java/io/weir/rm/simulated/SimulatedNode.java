package io.weir.rm.simulated;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node of the simulated machine. {@code 0 <= used <= procs} always; a node that is down gets no further job. Changed only
 * by {@link SimulatedCluster}.
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
    private @Nullable String drainReason;
    private List<String> features = List.of();

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

    boolean isDrained() {
        return drainReason != null;
    }

    int free() {
        return up && drainReason == null ? procs - used : 0;
    }

    /** Takes it out of service for that reason, or with null back into it. */
    void drain(@Nullable String reason) {
        drainReason = reason;
        report = null;
    }

    void setFeatures(List<String> all) {
        features = all.stream().sorted().toList();
        report = null;
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
        if (reportUsage || drainReason != null) {
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
                    .setFeatures(features)
                    .setReason(up ? drainReason : DOWN_REASON)
                    .build();
        }
        return report;
    }

    private NodeState state() {
        if (!up) {
            return NodeState.DOWN;
        }
        if (drainReason != null) {
            return used == 0 ? NodeState.DRAINED : NodeState.DRAINING;
        }
        if (!reportUsage || used == 0) {
            return NodeState.IDLE;
        }
        return used == procs ? NodeState.BUSY : NodeState.RUNNING;
    }
}
