package io.weir.scheduler.core.placement;

/** How much a job is drawn to a node by the reservations on it; the order is the order in which nodes are used up. */
public enum NodeAffinity {
    /** The job has to run there. */
    REQUIRED,
    /** A reservation there attracts it. */
    POSITIVE,
    /** A reservation there admits it. */
    NEUTRAL,
    /** No reservation there. */
    NONE,
    /** A reservation there admits it as a last resort. */
    NEGATIVE,
    /** Only by preempting somebody. */
    PREEMPTION
}
