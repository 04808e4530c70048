package io.weir.scheduler.core.reservation.control;

/** What a reservation may overlap, from nothing to anything. */
enum OverlapPolicy {
    /** Nothing: no other reservation, and no job that may not use it. */
    NOTHING,
    /** Running jobs. */
    JOBS,
    /** Other reservations as well. */
    RESERVATIONS
}
