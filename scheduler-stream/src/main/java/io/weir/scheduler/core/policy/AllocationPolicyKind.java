package io.weir.scheduler.core.policy;

/** NODEALLOCATIONPOLICY: how the nodes of a job are chosen among those that would do. */
public enum AllocationPolicyKind {
    /** Longest free first, then lowest index. */
    FIRSTAVAILABLE,
    /** Tightest fit in time first, then highest index. */
    LASTAVAILABLE,
    /** Highest value of the node's priority function first. */
    PRIORITY,
    /** Most unused processors by measured load first. */
    CPULOAD,
    /** Least configured resources first. */
    MINRESOURCE,
    /** One run of consecutive indexes. */
    CONTIGUOUS,
    /** The set of nodes with the smallest span of processor speeds. */
    MAXBALANCE,
    /** Fastest first. */
    FASTEST,
    /** Custom code named by the site. */
    PLUGIN;

    /** Returns whether any nodes with enough free processors will do, so that counting processors tells what can start. */
    public boolean takesAnyProcessors() {
        return switch (this) {
            case FIRSTAVAILABLE, LASTAVAILABLE, PRIORITY, MINRESOURCE, MAXBALANCE, FASTEST -> true;
            case CPULOAD, CONTIGUOUS, PLUGIN -> false;
        };
    }
}
