package io.weir.scheduler.core.policy.nodeset;

/** NODESETPOLICY: how the nodes of a job relate to node sets. */
public enum NodeSetPolicy {
    /** All from one set, chosen by priority type. */
    ONEOF,
    /** All from the first set in the list that can hold the job. */
    FIRSTOF,
    /** From any node that is in a listed set. */
    ANYOF
}
