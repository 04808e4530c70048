package io.weir.scheduler.core.state;

import io.weir.scheduler.state.ReservationCopyStatus;

/**
 * A reservation as a resource manager was last told to show it; immutable.
 *
 * @param connector connector of the resource manager
 * @param reservation id of the reservation
 * @param terms what was ordered, as text; empty for its end
 * @param command number of the order
 */
public record ReservationCopy(String connector, String reservation, String terms, long command) {
    /** Terms of an order that was never carried out: they are no reservation's. */
    private static final String LOST = "?";

    static ReservationCopy from(ReservationCopyStatus status) {
        return new ReservationCopy(
                status.getConnector(), status.getReservationId(), status.getTerms(), status.getCommand());
    }

    ReservationCopyStatus toRecord() {
        return new ReservationCopyStatus(connector, reservation, terms, command);
    }

    public static String key(String connector, String reservation) {
        return connector + "/" + reservation;
    }

    public String key() {
        return key(connector, reservation);
    }

    /** Says whether its end was ordered. */
    public boolean gone() {
        return terms.isEmpty();
    }

    /** Returns it as one that has to be ordered again. */
    public ReservationCopy lost() {
        return new ReservationCopy(connector, reservation, LOST, 0);
    }
}
