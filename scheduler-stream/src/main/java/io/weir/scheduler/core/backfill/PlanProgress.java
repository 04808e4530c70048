package io.weir.scheduler.core.backfill;

/**
 * How far a plan came that takes several iterations. Part of the state: what an iteration adds must not depend on whether the
 * scheduler was rebuilt before it.
 *
 * @param seen jobs at the head of the queue that were looked at and left there
 * @param order tells their order, {@link io.weir.scheduler.core.job.JobQueue#order}
 * @param searches searches for the earliest slot of a job made so far
 * @param begun instant at which the pass began, epoch seconds
 * @param now instant of the last iteration that added to it, epoch seconds
 * @param delayed tells which nodes took nothing for another reason than their jobs,
 *     {@link io.weir.scheduler.core.placement.Placement#delayed}
 * @param nextStep first instant, epoch seconds, at which it no longer holds though nothing happened
 */
public record PlanProgress(int seen, long order, int searches, long begun, long now, long delayed, long nextStep) {}
