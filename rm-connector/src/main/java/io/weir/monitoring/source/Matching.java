package io.weir.monitoring.source;

/** What became of a part of a message. */
enum Matching {
    /** It is a measurement or an event of the cluster. */
    MATCHED,
    /** The format was not understood. */
    UNREADABLE,
    /** No label names a node. */
    NO_NODE,
    /** The settings do not take its name. */
    NOT_TAKEN,
    /** Its value, time or name is outside the bounds of facts. */
    OUT_OF_BOUNDS,
    /** The same alert, in the same state, again. */
    REPEATED
}
