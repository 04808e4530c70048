package io.weir.scheduler.core.policy.scheduler;

import java.util.List;

/**
 * ADMINCFG[level].
 *
 * @param level 1 to 4, 1 being the mightiest
 * @param users USERS; ALL for everybody
 * @param groups GROUPS
 * @param events EVENTSUBSCRIPTION: events that its users are told of; ALL for every event
 */
public record AdminLevel(int level, List<String> users, List<String> groups, List<String> events) {
    private static final String ALL = "ALL";

    public AdminLevel {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
        events = List.copyOf(events);
    }

    /** Says whether its users are told of {@code event}. */
    public boolean subscribes(String event) {
        return events.isEmpty()
                || events.stream().anyMatch(each -> each.equalsIgnoreCase(event) || each.equalsIgnoreCase(ALL));
    }
}
