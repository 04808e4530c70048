package io.weir.monitoring.format;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One measured value, as its monitoring system names it. Immutable.
 *
 * @param name of what was measured
 * @param labels what else is said about it, by name; the host among them
 * @param value the value, as it was sent
 * @param time when it was measured; empty when that was not said
 */
public record Observation(String name, Map<String, String> labels, double value, Optional<Instant> time) {
    public Observation {
        labels = Map.copyOf(labels);
    }
}
