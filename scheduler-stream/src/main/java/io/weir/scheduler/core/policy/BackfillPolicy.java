package io.weir.scheduler.core.policy;

/** Which jobs may start before one that waits ahead of them. */
public enum BackfillPolicy {
    /** In priority order, every job that fits and delays no reservation. */
    FIRSTFIT,
    /** None: strictly in order, without reservations. */
    NONE
}
