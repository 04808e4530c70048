package io.weir.monitoring.source;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a message was turned into, and how many of its parts became what. Immutable but for its maker.
 *
 * @param metrics measurements of nodes
 * @param events events of nodes
 * @param counts how many parts were matched, and how many were not, by cause
 * @param reason why the first unreadable part is unreadable; empty when all could be read
 */
record Facts(List<NodeMetric> metrics, List<GenericEvent> events, Map<Matching, Integer> counts, String reason) {
    Facts {
        metrics = List.copyOf(metrics);
        events = List.copyOf(events);
        counts = new EnumMap<>(counts);
    }

    /** Returns how many parts became {@code matching}. */
    int count(Matching matching) {
        return counts.getOrDefault(matching, 0);
    }
}
