package io.weir.notifier.runtime;

import io.weir.notifier.spi.Delivery;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which deliveries go to which channels. Immutable.
 *
 * @param name the rule's name in the configuration
 * @param events event names it is for, a trailing {@code *} standing for any ending; empty for all
 * @param least the least severity it is for; a delivery whose severity is not known is for every rule
 * @param channels where they go; empty for every channel
 */
public record RoutingRule(String name, List<String> events, Severity least, Set<String> channels) {

    public RoutingRule {
        events = events.stream().map(event -> event.toLowerCase(Locale.ROOT)).toList();
        channels = Set.copyOf(channels);
    }

    /** Says whether this rule sends {@code delivery} to {@code channel}. */
    boolean sends(Delivery delivery, String channel) {
        return (channels.isEmpty() || channels.contains(channel))
                && severe(delivery.severity())
                && (events.isEmpty() || named(delivery.event().toLowerCase(Locale.ROOT)));
    }

    private boolean severe(Severity severity) {
        return severity == Severity.UNKNOWN || severity.compareTo(least) >= 0;
    }

    private boolean named(String event) {
        return events.stream()
                .anyMatch(pattern -> pattern.endsWith("*")
                        ? event.startsWith(pattern.substring(0, pattern.length() - 1))
                        : event.equals(pattern));
    }
}
