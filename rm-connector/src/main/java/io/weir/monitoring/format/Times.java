package io.weir.monitoring.format;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Reads times: ISO 8601, or a number since 1970 whose unit is told by its magnitude. Seconds until the year 5138 are below
 * 1e11, milliseconds from 1973 on above it, and so on by thousands. Pure.
 */
final class Times {

    private static final BigDecimal MILLIS_FROM = new BigDecimal("1e11");
    private static final BigDecimal MICROS_FROM = new BigDecimal("1e14");
    private static final BigDecimal NANOS_FROM = new BigDecimal("1e17");
    private static final BigDecimal BEYOND = new BigDecimal("1e20");

    private Times() {}

    /** Returns the time that {@code number} means; empty for what is no time. */
    static Optional<Instant> ofNumber(BigDecimal number) {
        if (number.signum() < 0 || number.compareTo(BEYOND) >= 0 || number.scale() > 30) {
            return Optional.empty();
        }
        int shift = number.compareTo(NANOS_FROM) >= 0
                ? 6
                : number.compareTo(MICROS_FROM) >= 0 ? 3 : number.compareTo(MILLIS_FROM) >= 0 ? 0 : -3;
        return Optional.of(Instant.ofEpochMilli(number.movePointLeft(shift).longValue()));
    }

    /** Returns the time that {@code text} says; empty for what is no time. */
    static Optional<Instant> ofText(String text) {
        if (text.isEmpty() || text.length() > 64) {
            return Optional.empty();
        }
        try {
            if (text.indexOf('T') > 0) {
                return Optional.of(OffsetDateTime.parse(text).toInstant());
            }
            return ofNumber(new BigDecimal(text));
        } catch (DateTimeException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
