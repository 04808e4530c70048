package io.weir.loop;

/** Something that keeps the loop right, and that can be left out to see whether the judges would notice. */
public enum Protection {
    /** The broker fences producers of an older epoch and members of an older generation. */
    FENCING,
    /** The scheduler passes over facts whose sequence number it has seen. */
    SEQUENCE,
    /** What the scheduler puts out is committed with what it has read and stored. */
    TRANSACTION,
    /** What the scheduler fails on twice is set aside: it remembers, over a new start of its stream, what it failed on. */
    QUARANTINE,
    /** The scheduler measures what it takes in, stores and puts out; the broker's limits stay. */
    SIZE_BUDGETS,
    /** Only the latest epoch of a connector counts: older ones stop, and what they wrote is passed over. */
    EPOCH,
    /** A client that asks again uses the id it used before, by which API and scheduler know the request. */
    REQUEST_ID,
    /** A registry that is away is told from one that has no such schema. */
    REGISTRY
}
