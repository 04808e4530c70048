package io.weir.scheduler.core.reservation.control;

/** What a reservation is allowed to lie over, from nothing to anything. */
enum OverlapPolicy {
    /** Nothing: resources have to be free of other reservations and of jobs that may not use it. */
    NOTHING,
    /** Running jobs, which end sooner or later. */
    JOBS,
    /** Other reservations as well. */
    RESERVATIONS
}
