package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;

/**
 * What a job that waits is to hold of one node.
 *
 * @param procs its processors there
 * @param from first second, epoch seconds
 * @param to end, exclusive, epoch seconds
 */
public record PlannedShare(Job job, long procs, long from, long to) {
    /** Returns whether it holds this at {@code instant}, epoch seconds. */
    boolean at(long instant) {
        return from <= instant && instant < to;
    }
}
