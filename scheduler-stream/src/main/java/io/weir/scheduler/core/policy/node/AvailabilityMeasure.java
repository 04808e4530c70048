package io.weir.scheduler.core.policy.node;

/** NODEAVAILABILITYPOLICY: what counts against a resource of a node at present. */
public enum AvailabilityMeasure {
    /** What jobs were given. */
    DEDICATED,
    /** What is measured. */
    UTILIZED,
    /** Whichever leaves less. */
    COMBINED
}
