package io.weir.scheduler.core.policy;

/** NODEALLOCATIONPOLICY: which of the nodes that would do a job gets. */
public enum NodeOrder {
    /** Lowest index first. */
    FIRSTAVAILABLE,
    /** Highest index first. */
    LASTAVAILABLE
}
