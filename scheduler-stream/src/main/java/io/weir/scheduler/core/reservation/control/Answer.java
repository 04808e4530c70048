package io.weir.scheduler.core.reservation.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request about reservations is answered with.
 *
 * @param accepted whether it was carried out
 * @param message one line for people
 * @param reservationId reservation it made or changed, when it was one; null otherwise
 * @param lines further lines, such as the reservations changed or what stood in the way
 */
public record Answer(
        boolean accepted, String message, @Nullable String reservationId, List<String> lines) {
    public Answer {
        lines = List.copyOf(lines);
    }

    static Answer done(String message, @Nullable String reservationId) {
        return new Answer(true, message, reservationId, List.of());
    }

    static Answer refused(String message) {
        return new Answer(false, message, null, List.of());
    }
}
