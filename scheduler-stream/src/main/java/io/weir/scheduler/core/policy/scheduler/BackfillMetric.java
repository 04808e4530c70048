package io.weir.scheduler.core.policy.scheduler;

/** BACKFILLMETRIC: what BESTFIT and GREEDY make the most of. */
public enum BackfillMetric {
    /** Processors. */
    PROCS,
    /** Processors times wallclock limit. */
    PROCSECONDS,
    /** Wallclock limit. */
    SECONDS,
    /** Processor equivalents. */
    PE,
    /** Processor equivalents times wallclock limit. */
    PESECONDS
}
