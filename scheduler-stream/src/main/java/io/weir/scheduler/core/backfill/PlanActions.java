package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;

/** What the planner asks of the iteration that runs it. */
public interface PlanActions {
    /**
     * Starts {@code job} now on {@code shares}, or on nodes still to be chosen when that is empty.
     *
     * @return false when its tasks do not fit on the free nodes after all; nothing has changed then
     */
    boolean start(Job job, List<TaskShare> shares);

    /**
     * Reserves what the job needs from {@code start} (epoch seconds) for its wallclock limit on {@code shares}, or moves
     * its reservation there. Where processors are only counted {@code shares} is empty.
     */
    void reserve(Job job, long start, List<TaskShare> shares);

    /** Gives up the reservation of {@code jobId}. */
    void release(String jobId);
}
