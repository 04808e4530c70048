package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;

/** Carries out what a pass decides, at once: a start changes what the next job may have. Implemented by the iteration. */
public interface PlanActions {
    /** Names the job under consideration, to which a failure is attributed. */
    void considering(Job job);

    /**
     * Starts {@code job} now on {@code shares}, or on nodes still to be chosen when that is empty.
     *
     * @param ahead whether a job that waits ahead of it is overtaken
     * @return false when its tasks do not fit on the free nodes after all; nothing has changed then
     */
    boolean start(Job job, List<TaskShare> shares, boolean ahead);

    /**
     * Returns whether {@code job}, which fits now, waits for an allocation plug-in to name its nodes, or for the allocation
     * manager to say that it can be paid for. Asks them if need be. The nodes found stay with the job until the answer comes.
     *
     * @param shares where it would start; empty where processors are only counted
     * @param placed whether the job has its nodes already, so that no plug-in is asked
     */
    boolean awaited(Job job, List<TaskShare> shares, boolean placed);

    /**
     * Reserves what the job needs from {@code start} (epoch seconds) for its wallclock limit on {@code shares}, or moves
     * its reservation there. Where processors are only counted {@code shares} is empty.
     *
     * @param forDeadline whether the reservation is kept for the sake of the job's deadline, if it is in time for that
     */
    void reserve(Job job, long start, List<TaskShare> shares, boolean forDeadline);

    /** Reports that {@code job} cannot end by its deadline; {@code start} is its earliest start, epoch seconds. */
    void late(Job job, long start);

    /** Reports that the nodes kept for {@code job}, whose start was refused, are given up. */
    void retryExpired(Job job);

    /**
     * Reports that {@code job} asks for more than the nodes could ever hold.
     *
     * @return whether it was put off, so that it does not count in the next pass
     */
    boolean impossible(Job job);

    /** Returns whether jobs run, or begin to, that may be preempted some time. */
    boolean preempts();

    /**
     * Returns when another running job may be preempted, as it has run for long enough, epoch seconds; {@link Long#MAX_VALUE} for
     * never.
     */
    long nextPreemptee();

    /** Returns the running jobs that may be preempted for {@code job}, those that are preempted first first. */
    List<Job> preemptees(Job job);

    /** Has {@code victims} end to make room for {@code job}. */
    void preempt(Job job, List<Job> victims);

    /** Reports that {@code jobs} jobs that waited behind {@code jobId} started before it. */
    void bypassed(String jobId, int jobs);

    /** Gives up the reservation of {@code jobId}. */
    void release(String jobId);
}
