package io.weir.scheduler.core.backfill;

/** RESERVATIONPOLICY CURRENTHIGHEST: every complete pass makes the reservations anew, for the jobs that are then on top. */
final class CurrentHighestReservations implements ReservationStrategy {
    static final CurrentHighestReservations INSTANCE = new CurrentHighestReservations();

    private CurrentHighestReservations() {}

    @Override
    public boolean reserves() {
        return true;
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
