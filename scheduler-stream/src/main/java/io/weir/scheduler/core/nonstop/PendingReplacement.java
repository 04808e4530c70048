package io.weir.scheduler.core.nonstop;

/**
 * A replacement that will be there later. Immutable.
 *
 * @param nodeId node it is for
 * @param replacement node that is kept
 * @param time when that is expected to be free, epoch seconds
 * @param delay what is left of the minutes granted for the wait
 * @param announced whether subscribers were told that it is ready
 */
public record PendingReplacement(String nodeId, String replacement, long time, long delay, boolean announced) {
    PendingReplacement left(long minutes) {
        return new PendingReplacement(nodeId, replacement, time, minutes, announced);
    }

    PendingReplacement told() {
        return new PendingReplacement(nodeId, replacement, time, delay, true);
    }

    PendingReplacement expected(String node, long at) {
        return new PendingReplacement(nodeId, node, at, delay, announced && node.equals(replacement));
    }
}
