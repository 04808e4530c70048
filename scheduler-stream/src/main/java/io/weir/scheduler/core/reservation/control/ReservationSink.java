package io.weir.scheduler.core.reservation.control;

import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.schemas.Severity;

/** Takes what is decided about reservations that are no job's. */
public interface ReservationSink {
    /** Puts a version of a reservation in force. */
    void put(AdministrativeReservation reservation);

    /** Ends a reservation. */
    void remove(AdministrativeReservation reservation);

    /** Tells people about it. */
    void notice(Severity severity, String event, String reservationId, String text);
}
