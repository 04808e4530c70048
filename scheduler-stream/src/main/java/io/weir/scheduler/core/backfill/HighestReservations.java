package io.weir.scheduler.core.backfill;

/** RESERVATIONPOLICY HIGHEST: a reservation lasts until its job starts, ends or is held, and slides to earlier times. */
final class HighestReservations implements ReservationStrategy {
    static final HighestReservations INSTANCE = new HighestReservations();

    private HighestReservations() {}

    @Override
    public boolean reserves() {
        return true;
    }

    @Override
    public boolean retains() {
        return true;
    }

    @Override
    public boolean slides() {
        return true;
    }
}
