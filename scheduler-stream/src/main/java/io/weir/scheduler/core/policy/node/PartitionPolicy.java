package io.weir.scheduler.core.policy.node;

/** PARALLOCATIONPOLICY: in which of the partitions where it could start now a job starts. */
public enum PartitionPolicy {
    /** The first by name. */
    FIRSTSTART,
    /** The one with the fewest free processors. */
    BESTFIT,
    /** The one of whose processors the smallest part is taken. */
    LOADBALANCE,
    /** The next by name after the one of the last such start. */
    ROUNDROBIN,
    /** One drawn with RANDOMSEED. */
    RANDOM
}
