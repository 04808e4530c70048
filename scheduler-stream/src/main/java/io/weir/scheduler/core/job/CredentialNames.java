package io.weir.scheduler.core.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that the jobs of a table state, each as long as any job does. They are asked for seldom, and jobs come and go
 * all the time: what changed is counted when somebody asks. Owned by the core's thread.
 */
public final class CredentialNames {
    /** So many changes are kept however few jobs there are. */
    private static final int FEW_CHANGES = 1024;

    private final Collection<Job> jobs;
    private final SortedMap<String, Integer> users = new TreeMap<>();
    private final SortedMap<String, Integer> groups = new TreeMap<>();
    private final SortedMap<String, Integer> accounts = new TreeMap<>();
    private final SortedMap<String, Integer> qos = new TreeMap<>();
    private final SortedMap<String, Integer> classes = new TreeMap<>();

    /** What is not counted yet; null when it would cost more than to count all jobs anew. */
    private @Nullable List<Change> uncounted = new ArrayList<>();

    private record Change(
            @Nullable JobCredentials before, @Nullable JobCredentials after) {}

    /**
     * Knows no names yet.
     *
     * @param jobs all jobs of the table at any time
     */
    CredentialNames(Collection<Job> jobs) {
        this.jobs = jobs;
    }

    /** Says that {@code next} takes the place of {@code old}; null for a job that was not there, or is gone. */
    void changed(@Nullable Job old, @Nullable Job next) {
        JobCredentials before = old == null ? null : old.request().credentials();
        JobCredentials after = next == null ? null : next.request().credentials();
        List<Change> changes = uncounted;
        if (changes == null || (before != null && before.equals(after))) {
            return;
        }
        if (changes.size() < Math.max(FEW_CHANGES, jobs.size())) {
            changes.add(new Change(before, after));
        } else {
            uncounted = null;
        }
    }

    private void count() {
        List<Change> changes = uncounted;
        if (changes == null) {
            for (SortedMap<String, Integer> names : List.of(users, groups, accounts, qos, classes)) {
                names.clear();
            }
            jobs.forEach(job -> count(job.request().credentials(), 1));
        } else {
            for (Change change : changes) {
                count(change.after(), 1);
                count(change.before(), -1);
            }
        }
        uncounted = new ArrayList<>();
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
        return counted(users);
    }

    /** Returns the groups, sorted. */
    public Set<String> groups() {
        return counted(groups);
    }

    /** Returns the accounts, sorted. */
    public Set<String> accounts() {
        return counted(accounts);
    }

    /** Returns the qualities of service, sorted. */
    public Set<String> qos() {
        return counted(qos);
    }

    /** Returns the classes, sorted. */
    public Set<String> classes() {
        return counted(classes);
    }

    private Set<String> counted(SortedMap<String, Integer> names) {
        count();
        return Collections.unmodifiableSet(names.keySet());
    }
}
