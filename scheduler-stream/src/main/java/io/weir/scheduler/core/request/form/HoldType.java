package io.weir.scheduler.core.request.form;

/** What a request to hold or to release a job is about. */
public enum HoldType {
    /** The hold that the job's owner sets and takes away. */
    USER,
    /** An administrator's hold. */
    SYSTEM,
    /** The scheduler's hold. */
    BATCH,
    /** No hold, but waiting until the deferral ends. */
    DEFER,
    /** Every kind of hold. */
    ALL
}
