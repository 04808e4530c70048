package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.policy.reservation.ReservationPolicy;

/**
 * One RESERVATIONPOLICY: whether blocked jobs get priority reservations, and what becomes of these in the next pass. To add
 * one, write a class and name it in {@link #of}.
 */
interface ReservationStrategy {
    /** Returns the strategy for {@code policy}. */
    static ReservationStrategy of(ReservationPolicy policy) {
        return switch (policy) {
            case CURRENTHIGHEST -> CurrentHighestReservations.INSTANCE;
            case HIGHEST -> HighestReservations.INSTANCE;
            case NEVER -> NoReservations.INSTANCE;
        };
    }

    /** Returns whether a blocked job may get a priority reservation, while its group has a place left. */
    boolean reserves();

    /** Returns whether a reservation from the last pass enters the plan of the next one before any job is looked at. */
    boolean retains();

    /** Returns whether a retained reservation moves to an earlier slot when capacity comes free. */
    boolean slides();
}
