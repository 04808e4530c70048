package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.schemas.Severity;

/** Receives the changes to administrative reservations. */
public interface ReservationSink {
    /** Puts a version of a reservation in force. */
    void put(AdministrativeReservation reservation);

    /** Ends a reservation. */
    void remove(AdministrativeReservation reservation);

    /** Publishes a notification. */
    void notice(Severity severity, String event, String reservationId, String text);
}
