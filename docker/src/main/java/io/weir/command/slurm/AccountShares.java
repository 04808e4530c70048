package io.weir.command.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The part of a cluster that accounts are meant to have by their shares (fairshare) among those beside them, in percent. */
final class AccountShares {
    private static final int MOST_LEVELS = 100;

    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Long> shares = new HashMap<>();

    /** What the users and accounts below an account have together. */
    private final Map<String, Long> below = new HashMap<>();

    private AccountShares() {}

    /**
     * Returns the percentage of each account.
     *
     * @param associations account, parent, user and share of each
     */
    static SortedMap<String, Double> of(List<String[]> associations) {
        AccountShares all = new AccountShares();
        associations.stream().filter(fields -> fields.length == 4).forEach(all::add);
        SortedMap<String, Double> percent = new TreeMap<>();
        all.parents.keySet().stream()
                .filter(account -> !account.equals("root"))
                .forEach(account -> percent.put(account, all.percent(account, 0)));
        return percent;
    }

    private void add(String[] association) {
        String account = association[0];
        long share = association[3].matches("\\d{1,9}") ? Long.parseLong(association[3]) : 0;
        if (association[2].isEmpty()) {
            parents.put(account, association[1]);
            shares.put(account, share);
            below.merge(association[1], share, Long::sum);
        } else {
            below.merge(account, share, Long::sum);
        }
    }

    private double percent(String account, int level) {
        String parent = parents.getOrDefault(account, "");
        if (parent.isEmpty() || account.equals("root") || level > MOST_LEVELS) {
            return 100;
        }
        long beside = below.getOrDefault(parent, 0L);
        return beside == 0 ? 0 : percent(parent, level + 1) * shares.getOrDefault(account, 0L) / beside;
    }
}
