package io.weir.scheduler.core.nodeset;

/** How a placement makes use of node sets. */
public enum SetUse {
    /** Not at all. */
    NONE,
    /** All tasks in one usable set; under ANYOF, in the union of the sets. */
    ONE_SET,
    /** The same number of tasks in each of as few sets as will do, at least two. */
    EVEN_SPAN
}
