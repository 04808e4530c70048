package io.weir.scheduler.core.policy.reservation;

/** What becomes of priority reservations from one iteration to the next. */
public enum ReservationPolicy {
    /** Made anew in every iteration for the jobs that are then on top. */
    CURRENTHIGHEST,
    /** Kept until the job starts, ends or is held; slides to earlier times when capacity comes free. */
    HIGHEST,
    /** None are made. */
    NEVER
}
