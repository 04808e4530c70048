package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;

/** What the planner asks of the iteration that runs it. */
public interface PlanActions {
    /** Says that the planner turns to {@code job}. */
    void considering(Job job);

    /**
     * Starts {@code job} now on {@code shares}, or on nodes still to be chosen when that is empty.
     *
     * @param ahead whether a job that waits ahead of it is overtaken
     * @return false when its tasks do not fit on the free nodes after all; nothing has changed then
     */
    boolean start(Job job, List<TaskShare> shares, boolean ahead);

    /**
     * Returns whether it is not settled yet on which nodes {@code job}, which fits now, is to start: somebody outside is
     * asked, and until there is an answer the nodes at hand are kept for it.
     */
    boolean awaited(Job job);

    /**
     * Reserves what the job needs from {@code start} (epoch seconds) for its wallclock limit on {@code shares}, or moves
     * its reservation there. Where processors are only counted {@code shares} is empty.
     */
    void reserve(Job job, long start, List<TaskShare> shares);

    /** Says that {@code job} cannot be over by its deadline: it could start at {@code start} at the earliest. */
    void late(Job job, long start);

    /** Says that the nodes of {@code job}, whose start was refused, were kept long enough. */
    void retryExpired(Job job);

    /** Says that {@code job} asks for more than the nodes could ever hold. */
    void impossible(Job job);

    /** Says that {@code jobs} jobs that waited behind {@code jobId} started before it. */
    void bypassed(String jobId, int jobs);

    /** Gives up the reservation of {@code jobId}. */
    void release(String jobId);
}
