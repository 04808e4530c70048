package io.weir.scheduler.core.policy.reservation;

/** RSVREALLOCPOLICY: when a reservation that is no job's may change its nodes. */
public enum ReallocationPolicy {
    /** Not at all. */
    NEVER,
    /** Nodes that are down are replaced. */
    FAILURE,
    /** The cheapest and most preferred nodes are taken. */
    OPTIMAL,
    /** Idle nodes are given up for nodes that its users' jobs already use. */
    REMAP
}
