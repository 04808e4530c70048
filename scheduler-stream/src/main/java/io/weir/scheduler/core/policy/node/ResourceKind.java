package io.weir.scheduler.core.policy.node;

/** The consumable resources of a node that policies can be stated for. */
public enum ResourceKind {
    /** Processors. */
    PROC,
    /** Memory, MB. */
    MEM,
    /** Swap, MB. */
    SWAP,
    /** Local disk, MB. */
    DISK
}
