package io.weir.scheduler.core.timeline;

/** With whom a job shares its nodes, as far as room is concerned. */
public enum NodeSharing {
    /** With others, whatever is said of the node. */
    OTHERS,
    /** As is said of the node. */
    AS_THE_NODE_SAYS,
    /** With nobody: it has the whole of its nodes. */
    NOBODY;

    /** Returns whether a job has the whole of a node, of which {@code one} says whether it takes one job at a time. */
    public boolean alone(boolean one) {
        return this == NOBODY || (this == AS_THE_NODE_SAYS && one);
    }
}
