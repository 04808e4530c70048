package io.weir.scheduler.core.placement;

/** Why a node cannot take a task of a job. A node counts under the first reason that holds, in this order. */
public enum RejectionReason {
    /** It does not accept the job's class, or not the job's class these hosts. */
    CLASS("Class"),
    /** It has not got enough processors. */
    CPU("CPU"),
    /** It has not got enough local disk. */
    DISK("Disk"),
    /** It lacks a feature, a generic resource, the architecture or the operating system. */
    FEATURES("Features"),
    /** It has not got enough memory or swap. */
    MEMORY("Memory"),
    /** It lacks the network interface. */
    NETWORK("Network"),
    /** Its state takes no new tasks. */
    STATE("State"),
    /** A reservation keeps it from the job. */
    RESERVED("Reserved"),
    /** Partition, host list, access policy or a limit of the node forbids it. */
    POLICY("Policy"),
    /** It lies outside of every usable node set. */
    SET("Set");

    private final String label;

    RejectionReason(String label) {
        this.label = label;
    }

    /** Returns the name shown to people. */
    public String label() {
        return label;
    }
}
