package io.weir.rm.slurm.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The associations and QOSs that slurmctld knows, with their limits but without what has been used of them. Immutable.
 *
 * @param byUser of each user, the limits of the associations, in words that are equal while nothing of them changes
 * @param others the same of accounts and QOSs, by kind and name
 * @param above of each account, those above it that limit all of their jobs together; accounts without such are left out
 */
public record LimitRecords(Map<String, String> byUser, Map<String, String> others, Map<String, List<String>> above) {
    /** Nothing is known. */
    public static final LimitRecords NONE = new LimitRecords(Map.of(), Map.of(), Map.of());

    private static final Pattern ASSOCIATION =
            Pattern.compile("ClusterName=\\S* Account=(\\S*) UserName=([^\\s(]*)(?:\\(\\d+\\))? .*");
    private static final Pattern QOS = Pattern.compile("QOS=([^\\s(]*).*");

    private static final Pattern PARENT = Pattern.compile(" ParentAccount=([^\\s(]+)");

    /** Limits on all jobs of an account and of those below it, of which the end of one leaves more to the others. */
    private static final Pattern TOGETHER = Pattern.compile(" Grp(?:Jobs=|TRES=\\S*?=|TRESRunMins=\\S*?=)\\d");

    /** What is used of a limit, and numbers of users and accounts. */
    private static final Pattern IN_BRACKETS = Pattern.compile("\\([^)]*\\)");

    /** Words that change as jobs run and as other associations come and go. */
    private static final Pattern PASSING = Pattern.compile("(?:Usage|Shares|Lft=).*");

    /** Limits of a QOS on each account and user: there is an entry for each that has jobs, and all of them say the same. */
    private static final String EACH = " Account Limits=";

    private static final Pattern ENTRY = Pattern.compile("\\{([^}]*)\\}");

    public LimitRecords {
        byUser = Map.copyOf(byUser);
        others = Map.copyOf(others);
        above = Map.copyOf(above);
    }

    /** Reads what {@code scontrol --oneliner show assoc_mgr flags=assoc,qos} says. */
    public static LimitRecords parse(String listing) {
        Map<String, String> byUser = new HashMap<>();
        Map<String, String> others = new HashMap<>();
        Map<String, String> parents = new HashMap<>();
        Set<String> limited = new HashSet<>();
        for (String line : listing.split("\n", -1)) {
            Matcher association = ASSOCIATION.matcher(line);
            Matcher qos = QOS.matcher(line);
            if (association.matches()) {
                String user = association.group(2);
                if (user.isEmpty()) {
                    String account = association.group(1);
                    others.merge("account " + account, limits(line), String::concat);
                    Matcher parent = PARENT.matcher(line);
                    if (parent.find()) {
                        parents.put(account, parent.group(1));
                    }
                    if (TOGETHER.matcher(line).find()) {
                        limited.add(account);
                    }
                } else {
                    byUser.merge(user, limits(line), String::concat);
                }
            } else if (qos.matches()) {
                others.put("QOS " + qos.group(1), limits(line));
            }
        }
        return new LimitRecords(byUser, others, above(parents, limited));
    }

    private static Map<String, List<String>> above(Map<String, String> parents, Set<String> limited) {
        Map<String, List<String>> above = new HashMap<>();
        for (String account : parents.keySet()) {
            List<String> found = new ArrayList<>();
            Set<String> seen = new HashSet<>(Set.of(account));
            @Nullable String next = parents.get(account);
            while (next != null && seen.add(next)) {
                if (limited.contains(next)) {
                    found.add(next);
                }
                next = parents.get(next);
            }
            if (!found.isEmpty()) {
                above.put(account, List.copyOf(found));
            }
        }
        return above;
    }

    private static String limits(String line) {
        int each = line.indexOf(EACH);
        String own = each < 0 ? line : line.substring(0, each);
        String words = Arrays.stream(withoutUse(own).split("\\s+", -1))
                .filter(word -> !PASSING.matcher(word).matches())
                .collect(Collectors.joining(" "));
        TreeSet<String> entries = new TreeSet<>();
        Matcher entry = ENTRY.matcher(each < 0 ? "" : line.substring(each));
        while (entry.find()) {
            entries.add(withoutUse(entry.group(1)));
        }
        return words + ' ' + entries;
    }

    private static String withoutUse(String text) {
        return IN_BRACKETS.matcher(text).replaceAll("");
    }

    /** Returns the limits of that user's associations; null when none is known. */
    public @Nullable String of(String user) {
        return byUser.get(user);
    }
}
