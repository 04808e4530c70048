package io.weir.scheduler.core.placement;

/** How much time on a node is not given away yet. */
@FunctionalInterface
public interface FreeTime {
    /**
     * Returns the seconds of the next {@code horizon} seconds from {@code now} that neither a running job nor a
     * reservation covers, averaged over the processors of the node at {@code position}.
     */
    double seconds(int position, long now, long horizon);
}
