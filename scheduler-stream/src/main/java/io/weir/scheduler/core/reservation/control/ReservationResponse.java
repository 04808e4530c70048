package io.weir.scheduler.core.reservation.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request about reservations.
 *
 * @param accepted whether it was carried out
 * @param message one line of text
 * @param reservationId reservation it made or changed, when it was one; null otherwise
 * @param lines further lines, such as the reservations changed or the conflicts
 */
public record ReservationResponse(
        boolean accepted, String message, @Nullable String reservationId, List<String> lines) {
    public ReservationResponse {
        lines = List.copyOf(lines);
    }

    static ReservationResponse done(String message, @Nullable String reservationId) {
        return new ReservationResponse(true, message, reservationId, List.of());
    }

    static ReservationResponse refused(String message) {
        return new ReservationResponse(false, message, null, List.of());
    }
}
