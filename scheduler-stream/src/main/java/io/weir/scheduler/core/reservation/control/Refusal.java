package io.weir.scheduler.core.reservation.control;

import java.util.List;

/** Thrown inside this package when a request is refused; turned into a {@link ReservationResponse} at its boundary. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> lines;

    Refusal(String message) {
        this(message, List.of());
    }

    Refusal(String message, List<String> lines) {
        super(message, null, false, false);
        this.lines = List.copyOf(lines);
    }

    ReservationResponse answer() {
        return new ReservationResponse(false, String.valueOf(getMessage()), null, lines);
    }
}
