package io.weir.scheduler.core.policy.nodeset;

/** NODESETATTRIBUTE: what the nodes of a set have in common. */
public enum NodeSetAttribute {
    /** A feature. */
    FEATURE,
    /** Processor speed, MHz. */
    PROCSPEED,
    /** Configured memory, MB. */
    MEMORY,
    /** A network interface. */
    NETWORK,
    /** Architecture. */
    ARCH,
    /** An accepted class. */
    CLASS
}
