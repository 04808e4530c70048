package io.weir.scheduler.core.nonstop;

/** What is the matter with a node of a job. */
public enum LossKind {
    /** It left the allocation, and why is not known yet. */
    MISSING,
    /** Out of service. */
    FAILED,
    /** Works, but is expected to fail. */
    FAILING
}
