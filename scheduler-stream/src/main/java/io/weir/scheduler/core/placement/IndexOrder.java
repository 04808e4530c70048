package io.weir.scheduler.core.placement;

/** In which order of their indexes nodes are taken. */
public enum IndexOrder {
    /** Lowest index first. */
    ASCENDING,
    /** Highest index first. */
    DESCENDING,
    /** The policy looks at more than the index. */
    NONE
}
