package io.weir.scheduler.core.request.form;

/** Which policies an explanation takes into account. */
public enum PolicyLevel {
    /** Hard limits. */
    HARD,
    /** Soft limits, too. */
    SOFT,
    /** None. */
    OFF
}
