package io.weir.scheduler.core.placement;

/** How the tasks of a job are spread over the nodes it gets. */
public enum Distribution {
    /** Same as {@link #PACK}. */
    DEFAULT,
    /** Each node is filled before the next. */
    PACK,
    /** The fewest nodes that hold the job, one task to each in turn. */
    RR,
    /** As many nodes as possible, one task to each in turn. */
    DISPERSE
}
