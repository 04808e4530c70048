package io.weir.scheduler.core.event;

import io.weir.schemas.Severity;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What {@code GEVENTCFG[name]} says is done on an event. Immutable.
 *
 * @param event name of the event, or the condition on a metric that raises it
 * @param actions what is done, in order; at least one
 * @param occurrences how often it has to happen before it fires, 1 or more
 * @param rearmSeconds shortest time between two firings for one object, 0 or more
 * @param severity 1 to 4; 0 for not stated
 * @param escalations what is done if it lasts, earliest first
 * @param condition whether the event is a condition on a metric: it does not fire again while it lasts and nothing rearms it
 */
public record EventRule(
        String event,
        List<EventAction> actions,
        long occurrences,
        long rearmSeconds,
        int severity,
        List<EventEscalation> escalations,
        boolean condition) {
    public EventRule {
        actions = List.copyOf(actions);
        escalations = List.copyOf(escalations);
    }

    /** Returns the nodes that take no jobs while the event lasts on an object, sorted. */
    public SortedSet<String> disabled(EventKey key) {
        SortedSet<String> nodes = new TreeSet<>();
        Stream.concat(actions.stream(), escalations.stream().map(EventEscalation::action))
                .filter(action -> action.kind() == EventAction.Kind.DISABLE)
                .forEach(action -> {
                    String named = action.namedNode();
                    if (named != null) {
                        nodes.add(named);
                    } else if (key.objectType().equals("node")) {
                        nodes.add(key.objectId());
                    }
                });
        return nodes;
    }

    /** Returns whether it does more than tell somebody, so that what it does may cause the event anew. */
    boolean acts() {
        return actions.stream()
                .anyMatch(
                        action -> action.kind() != EventAction.Kind.NOTIFY && action.kind() != EventAction.Kind.RECORD);
    }

    /** Returns the severity for people: 3 and 4 are errors, 2 and none a warning, 1 information. */
    public Severity level() {
        return switch (severity) {
            case 1 -> Severity.INFO;
            case 3, 4 -> Severity.ERROR;
            default -> Severity.WARNING;
        };
    }
}
