package io.weir.scheduler.core.policy.scheduler;

/** BACKFILLPOLICY: which jobs may start before one that waits ahead of them. */
public enum BackfillPolicy {
    /** In priority order, every job that fits and delays no reservation. */
    FIRSTFIT,
    /** In each window of idle resources the job with the largest metric. */
    BESTFIT,
    /** In each window the jobs that together have the largest metric. */
    GREEDY,
    /** Without reservations; backfilled jobs may be preempted. */
    PREEMPT,
    /** None: strictly in order, without reservations. */
    NONE
}
