package io.weir.scheduler.core.backfill;

/** RESERVATIONPOLICY NEVER: no priority reservations. Reservations in time for a deadline are made all the same. */
final class NoReservations implements ReservationStrategy {
    static final NoReservations INSTANCE = new NoReservations();

    private NoReservations() {}

    @Override
    public boolean reserves() {
        return false;
    }

    @Override
    public boolean retains() {
        return false;
    }

    @Override
    public boolean slides() {
        return false;
    }
}
