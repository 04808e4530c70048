package io.weir.scheduler.core.request;

/** Which policies an explanation takes into account. */
public enum PolicyLevel {
    /** Hard limits. */
    HARD,
    /** Soft limits, too. */
    SOFT,
    /** None. */
    OFF
}
