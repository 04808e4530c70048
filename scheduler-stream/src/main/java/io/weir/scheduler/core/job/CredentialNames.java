package io.weir.scheduler.core.job;

import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The credentials that the jobs of a table state, each as long as any job does. Owned by the core's thread. */
public final class CredentialNames {
    private final SortedMap<String, Integer> users = new TreeMap<>();
    private final SortedMap<String, Integer> groups = new TreeMap<>();
    private final SortedMap<String, Integer> accounts = new TreeMap<>();
    private final SortedMap<String, Integer> qos = new TreeMap<>();
    private final SortedMap<String, Integer> classes = new TreeMap<>();

    /** Says that {@code next} takes the place of {@code old}; null for a job that was not there, or is gone. */
    void changed(@Nullable Job old, @Nullable Job next) {
        JobCredentials before = old == null ? null : old.request().credentials();
        JobCredentials after = next == null ? null : next.request().credentials();
        if (before != null && before.equals(after)) {
            return;
        }
        count(after, 1);
        count(before, -1);
    }

    private void count(@Nullable JobCredentials credentials, int more) {
        if (credentials != null) {
            count(users, credentials.user(), more);
            count(groups, credentials.group(), more);
            count(accounts, credentials.account(), more);
            count(qos, credentials.qos(), more);
            count(classes, credentials.jobClass(), more);
        }
    }

    private static void count(SortedMap<String, Integer> names, @Nullable String name, int more) {
        if (name != null) {
            names.merge(name, more, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
        }
    }

    /** Returns the users, sorted. */
    public Set<String> users() {
        return Collections.unmodifiableSet(users.keySet());
    }

    /** Returns the groups, sorted. */
    public Set<String> groups() {
        return Collections.unmodifiableSet(groups.keySet());
    }

    /** Returns the accounts, sorted. */
    public Set<String> accounts() {
        return Collections.unmodifiableSet(accounts.keySet());
    }

    /** Returns the qualities of service, sorted. */
    public Set<String> qos() {
        return Collections.unmodifiableSet(qos.keySet());
    }

    /** Returns the classes, sorted. */
    public Set<String> classes() {
        return Collections.unmodifiableSet(classes.keySet());
    }
}
