package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Capacity;

/**
 * What a job that waits is to hold of one node.
 *
 * @param held its processors, memory, swap and disk there
 * @param from first second, epoch seconds
 * @param to end, exclusive, epoch seconds
 */
public record PlannedShare(Job job, Capacity held, long from, long to) {
    /** Returns whether it holds this at {@code instant}, epoch seconds. */
    public boolean at(long instant) {
        return from <= instant && instant < to;
    }
}
