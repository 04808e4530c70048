package io.weir.command.slurm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Divides a cluster among accounts and their users by their shares (fairshare) among those beside them. A user with the share
 * {@code parent} has what the account has.
 */
final class AccountShares {
    private static final String ROOT = "root";
    private static final int MOST_LEVELS = 100;

    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Long> shares = new HashMap<>();

    /** What the users and accounts below an account have together. */
    private final Map<String, Long> below = new HashMap<>();

    private final List<String[]> users = new ArrayList<>();

    private AccountShares() {}

    /**
     * Returns what each has.
     *
     * @param associations account, parent, user and share of each
     */
    static FairShares of(List<String[]> associations) {
        AccountShares all = new AccountShares();
        associations.stream().filter(fields -> fields.length == 4).forEach(all::add);
        SortedMap<String, Double> accounts = new TreeMap<>();
        all.parents.keySet().stream()
                .filter(account -> !account.equals(ROOT))
                .forEach(account -> accounts.put(account, all.percent(account, 0)));
        SortedMap<String, Double> users = new TreeMap<>();
        all.users.stream()
                .filter(association -> !association[2].equals(ROOT))
                .forEach(association -> users.merge(association[2], all.ofUser(association), Double::sum));
        users.replaceAll((user, percent) -> Math.min(100, percent));
        return new FairShares(accounts, users);
    }

    private double ofUser(String[] association) {
        double whole = percent(association[0], 0);
        long beside = below.getOrDefault(association[0], 0L);
        return association[3].equals("parent") || beside == 0 ? whole : whole * share(association) / beside;
    }

    private static long share(String[] association) {
        return association[3].matches("\\d{1,9}") ? Long.parseLong(association[3]) : 0;
    }

    private void add(String[] association) {
        String account = association[0];
        long share = share(association);
        if (association[2].isEmpty()) {
            parents.put(account, association[1]);
            shares.put(account, share);
            below.merge(association[1], share, Long::sum);
        } else {
            users.add(association);
            below.merge(account, share, Long::sum);
        }
    }

    private double percent(String account, int level) {
        String parent = parents.getOrDefault(account, "");
        if (parent.isEmpty() || account.equals(ROOT) || level > MOST_LEVELS) {
            return 100;
        }
        long beside = below.getOrDefault(parent, 0L);
        return beside == 0 ? 0 : percent(parent, level + 1) * shares.getOrDefault(account, 0L) / beside;
    }
}
