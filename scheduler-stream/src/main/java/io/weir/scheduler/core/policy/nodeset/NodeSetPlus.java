package io.weir.scheduler.core.policy.nodeset;

/** NODESETPLUS: what is done when no single set can hold a job. */
public enum NodeSetPlus {
    /** Nothing more. */
    NONE,
    /** The job is spread evenly over several sets. */
    SPANEVENLY,
    /** The job waits a limited time for the best single set. */
    DELAY
}
