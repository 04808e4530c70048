package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;

/** What the planner asks of the iteration that runs it. */
public interface PlanActions {
    /**
     * Starts {@code job} now.
     *
     * @return false when its tasks do not fit on the free nodes after all; nothing has changed then
     */
    boolean start(Job job);

    /** Reserves the job's processors from {@code start} (epoch seconds) for its wallclock limit, or moves them there. */
    void reserve(Job job, long start);

    /** Gives up the reservation of {@code jobId}. */
    void release(String jobId);
}
