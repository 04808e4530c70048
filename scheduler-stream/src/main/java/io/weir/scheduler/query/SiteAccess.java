package io.weir.scheduler.query;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may do what by a cluster's configuration: ADMINCFG[1] to [4] with their USERS, and RSVCTLPOLICY. What else the
 * configuration says is not looked at.
 *
 * @param users principals named at each level; {@code ALL} stands for everyone
 * @param usersReserve whether users may make reservations of their own (RSVCTLPOLICY ANY)
 */
record SiteAccess(Map<AccessLevel, List<String>> users, boolean usersReserve) {
    private static final Pattern ADMIN = Pattern.compile("ADMINCFG\\[([1-4])]\\s*(.*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern USERS = Pattern.compile("\\bUSERS\\s*=\\s*(\\S+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern CONTROL = Pattern.compile("RSVCTLPOLICY\\s+(\\S+).*", Pattern.CASE_INSENSITIVE);

    /** Reads the text of a configuration. */
    static SiteAccess of(String text) {
        Map<AccessLevel, List<String>> users = new EnumMap<>(AccessLevel.class);
        boolean any = false;
        for (String line : text.replace("\\\n", " ").lines().toList()) {
            String code = line.replaceFirst("#.*", "").strip();
            Matcher admin = ADMIN.matcher(code);
            Matcher control = CONTROL.matcher(code);
            if (admin.matches()) {
                AccessLevel level = AccessLevel.of(admin.group(1)).orElseThrow();
                Matcher named = USERS.matcher(admin.group(2));
                if (named.find()) {
                    users.computeIfAbsent(level, key -> new ArrayList<>())
                            .addAll(List.of(named.group(1).split("[,:]", -1)));
                }
            } else if (control.matches()) {
                any = control.group(1).toUpperCase(Locale.ROOT).equals("ANY");
            }
        }
        return new SiteAccess(users, any);
    }

    /** Returns the level of {@code principal}: the one its token has, else the highest that names it. */
    AccessLevel level(Principal principal) {
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
