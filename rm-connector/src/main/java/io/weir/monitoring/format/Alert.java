package io.weir.monitoring.format;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Something that a monitoring system raised or took back. Immutable.
 *
 * @param name name of the rule that raised it
 * @param labels what identifies it, by name; the host among them
 * @param active false when it is over
 * @param time when it began, or, when it is over, ended
 * @param message text for people; empty for none
 * @param fingerprint the same for the same alert with the same labels
 * @param lasting whether its end has the same fingerprint as its beginning; an end that has another is that of all of its name
 */
public record Alert(
        String name,
        Map<String, String> labels,
        boolean active,
        Optional<Instant> time,
        String message,
        String fingerprint,
        boolean lasting) {
    public Alert {
        labels = Map.copyOf(labels);
    }
}
