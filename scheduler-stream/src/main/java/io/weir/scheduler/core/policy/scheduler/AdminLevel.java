package io.weir.scheduler.core.policy.scheduler;

import java.util.List;

/**
 * ADMINCFG[level].
 *
 * @param level 1 to 4, 1 being the mightiest
 * @param users USERS; ALL for everybody
 * @param groups GROUPS
 */
public record AdminLevel(int level, List<String> users, List<String> groups) {
    public AdminLevel {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }
}
