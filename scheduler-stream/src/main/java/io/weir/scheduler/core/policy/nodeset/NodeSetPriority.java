package io.weir.scheduler.core.policy.nodeset;

/** NODESETPRIORITYTYPE: which of several usable sets is taken. */
public enum NodeSetPriority {
    /** The first without nodes the job should avoid. */
    AFFINITY,
    /** The smallest. */
    BESTFIT,
    /** The one with the fastest nodes. */
    BESTRESOURCE,
    /** The first in the list. */
    FIRSTFIT,
    /** The one wasting least speed or processors. */
    MINLOSS,
    /** The largest. */
    WORSTFIT
}
