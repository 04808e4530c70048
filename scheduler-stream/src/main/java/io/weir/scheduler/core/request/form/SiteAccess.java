package io.weir.scheduler.core.request.form;

import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.AdminLevel;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Who may do what by a cluster's configuration: ADMINCFG[1] to [4] with their USERS, and RSVCTLPOLICY. Names are compared
 * letter by letter. Where the configuration names nobody, nobody is more than a user unless the API says so.
 *
 * @param users principals named at each level; {@code ALL} stands for everyone
 * @param usersReserve whether users may make reservations of their own (RSVCTLPOLICY ANY)
 */
public record SiteAccess(Map<AccessLevel, List<String>> users, boolean usersReserve) {
    /** Takes over what a configuration says. */
    public static SiteAccess of(SitePolicy policy) {
        Map<AccessLevel, List<String>> users = new EnumMap<>(AccessLevel.class);
        for (AdminLevel admin : policy.admins()) {
            AccessLevel.of(admin.level())
                    .ifPresent(level -> users.computeIfAbsent(level, key -> new ArrayList<>())
                            .addAll(admin.users()));
        }
        return new SiteAccess(users, policy.reservations().anyoneMayReserve());
    }

    /** Returns the level of {@code principal}: the one its token has, else the highest that names it. */
    public AccessLevel level(Principal principal) {
        return principal.fixed().orElseGet(() -> {
            for (Map.Entry<AccessLevel, List<String>> entry : users.entrySet()) {
                if (entry.getValue().contains(principal.name())
                        || entry.getValue().stream().anyMatch("ALL"::equalsIgnoreCase)) {
                    return entry.getKey();
                }
            }
            return AccessLevel.USER;
        });
    }
}
