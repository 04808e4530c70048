package io.weir.scheduler.core.policy.node;

/** NODEALLOCATIONPOLICY: the names of the policies that choose the nodes of a job among those that could hold it. */
public enum AllocationPolicyKind {
    /** Longest free first, then lowest index. */
    FIRSTAVAILABLE(true),
    /** Tightest fit in time first, then highest index. */
    LASTAVAILABLE(true),
    /** Highest value of the node's priority function first. */
    PRIORITY(true),
    /** Most unused processors by measured load first. */
    CPULOAD(false),
    /** Least configured resources first. */
    MINRESOURCE(true),
    /** One run of consecutive node indexes. */
    CONTIGUOUS(false),
    /** The set of nodes with the smallest span of processor speeds. */
    MAXBALANCE(true),
    /** Fastest first. */
    FASTEST(true),
    /** The answer of code that the site supplies. */
    PLUGIN(false);

    private final boolean takesAnyProcessors;

    AllocationPolicyKind(boolean takesAnyProcessors) {
        this.takesAnyProcessors = takesAnyProcessors;
    }

    /** Returns whether any nodes with enough free processors will do, so that counting processors decides what can start. */
    public boolean takesAnyProcessors() {
        return takesAnyProcessors;
    }
}
