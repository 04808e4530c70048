package io.weir.notifier.runtime.handler;

import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which notifications go to which channels. A pattern with a trailing {@code *} stands for any ending. Immutable.
 *
 * @param name the rule's name in the configuration
 * @param events patterns of the events it is for, whatever their case; empty for all
 * @param least the least severity it is for; what is of no known severity is for every rule
 * @param objects patterns of {@code type:id} of the objects it is for; empty for all
 * @param owners patterns of the users whose objects it is for; empty for all, and for what belongs to nobody
 * @param channels where they go; empty for every channel
 */
public record RoutingRule(
        String name,
        List<String> events,
        Severity least,
        List<String> objects,
        List<String> owners,
        Set<String> channels) {

    public RoutingRule {
        events = events.stream().map(event -> event.toLowerCase(Locale.ROOT)).toList();
        objects = List.copyOf(objects);
        owners = List.copyOf(owners);
        channels = Set.copyOf(channels);
    }

    /** Says whether this rule sends {@code notification} to {@code channel}. */
    boolean sends(Notification notification, String channel) {
        String owner = notification.getOwner();
        return (channels.isEmpty() || channels.contains(channel))
                && severe(notification.getSeverity())
                && matches(events, notification.getEvent().toLowerCase(Locale.ROOT))
                && matches(objects, notification.getObjectType() + ":" + notification.getObjectId())
                && matches(owners, owner == null ? "" : owner);
    }

    private boolean severe(Severity severity) {
        return severity == Severity.UNKNOWN || severity.compareTo(least) >= 0;
    }

    private static boolean matches(List<String> patterns, String text) {
        return patterns.isEmpty()
                || patterns.stream()
                        .anyMatch(pattern -> pattern.endsWith("*")
                                ? text.startsWith(pattern.substring(0, pattern.length() - 1))
                                : text.equals(pattern));
    }
}
