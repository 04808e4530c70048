package io.weir.scheduler.core.request.form;

/** How the start of a job is estimated. */
public enum StartMethod {
    /** As if it were the next to be given nodes. */
    RSV,
    /** Behind the jobs ahead of it in the queue. */
    PRIO,
    /** By every method. */
    ALL
}
