package io.weir.scheduler.core.nonstop;

import io.weir.scheduler.state.LostNode;

/**
 * A failed or failing node of a job. Immutable.
 *
 * @param nodeId the node
 * @param procs processors the job had there
 * @param kind what is the matter with it
 * @param since when it was noticed, epoch seconds
 * @param delayed whether TimeLimitDelay was granted for it
 * @param credit what is left of that, minutes
 */
public record NodeLoss(String nodeId, int procs, LossKind kind, long since, boolean delayed, long credit) {
    static NodeLoss noticed(String nodeId, int procs, LossKind kind, long since) {
        return new NodeLoss(nodeId, procs, kind, since, false, 0);
    }

    static NodeLoss from(LostNode stored) {
        return new NodeLoss(
                stored.getNodeId(),
                stored.getProcs(),
                LossKind.valueOf(stored.getState()),
                stored.getSince(),
                stored.getDelayed(),
                stored.getCredit());
    }

    LostNode toRecord() {
        return new LostNode(nodeId, procs, kind.name(), since, delayed, credit);
    }

    NodeLoss as(LossKind other, long at) {
        return new NodeLoss(nodeId, procs, other, at, delayed, credit);
    }

    NodeLoss granted(long minutes) {
        return new NodeLoss(nodeId, procs, kind, since, true, minutes);
    }

    NodeLoss creditLeft(long minutes) {
        return new NodeLoss(nodeId, procs, kind, since, delayed, minutes);
    }
}
