package io.weir.notifier.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reads the header {@code Retry-After}: a number of seconds, or an HTTP date. */
final class RetryAfter {

    private static final int LONGEST_DIGITS = 9;

    private RetryAfter() {}

    /** Returns how long after {@code now} the receiver may be asked again; empty when {@code value} cannot be read. */
    static Optional<Duration> parse(String value, Instant now) {
        String text = value.strip();
        if (!text.isEmpty() && text.length() <= LONGEST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
