package io.weir.scheduler.core.statistics;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.priority.CredentialKind;
import io.weir.scheduler.state.CredentialRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of each credential did since the statistics were cleared. A run counts when it is over, so that nothing is
 * stored while it lasts; what active jobs have used by now is added for whoever asks. Owned by the core's thread.
 *
 * <p>Of each kind there is room for {@link #MOST_OF_A_KIND} credentials. Jobs of those that find no room count together, as
 * the others of their kind.
 */
public final class CredentialLedger {
    /** Credentials of one kind at most. */
    static final int MOST_OF_A_KIND = 20_000;

    /** Stands for all jobs. */
    private static final String ALL = "ALL";

    /** Name of the others of a kind; no credential has it. */
    private static final String OTHERS = "";

    private static final CredentialKind[] KINDS = CredentialKind.values();

    /** What the jobs of a credential, or all jobs, did. */
    private static final class Account {
        private final String id;
        private JobTotals totals = new JobTotals();

        /** Whether it is among {@link #changed}. */
        private boolean changed;

        Account(String id) {
            this.id = id;
        }
    }

    /** By kind and name; iterated only to sort. */
    private final Map<CredentialKind, Map<String, Account>> accounts = new EnumMap<>(CredentialKind.class);

    private final Account all = new Account(ALL);

    /** What changed since the last {@link #drain}; those of one id that was cleared may be among them twice. */
    private final List<Account> changed = new ArrayList<>();

    private UpTime up = UpTime.NONE;
    private long since = Job.NONE;

    public CredentialLedger() {
        for (CredentialKind kind : CredentialKind.values()) {
            accounts.put(kind, new LinkedHashMap<>());
        }
    }

    /** Returns whether it counts. */
    public boolean hasBegun() {
        return since != Job.NONE;
    }

    /** Begins to count at {@code now}, epoch seconds, when nodes with {@code procs} processors are up. */
    public void begin(long procs, long now) {
        since = now;
        up = new UpTime(procs, now, 0);
        changed(all);
    }

    /** Says that {@code more} processors are up from {@code at} on, epoch seconds; fewer if it is negative. */
    public void up(long more, long at) {
        if (hasBegun() && more != 0) {
            up = up.plus(more, at);
            changed(all);
        }
    }

    /** Returns the processor seconds of nodes that were up, until {@code now}, epoch seconds. */
    public long upProcSeconds(long now) {
        return up.until(now);
    }

    /** Forgets everything and begins anew at {@code now}, epoch seconds. */
    public void clear(long now) {
        accounts.forEach((kind, names) -> {
            names.values().forEach(this::changed);
            names.clear();
        });
        all.totals = new JobTotals();
        up = up.anew(now);
        since = now;
        changed(all);
    }

    /** Returns since when jobs are counted, epoch seconds; {@link Job#NONE} before the first iteration. */
    public long since() {
        return since;
    }

    /**
     * Counts what {@code job} did since its version {@code before}.
     *
     * @param before null for a job that was not known
     * @param at when a run is over of which no end is reported, epoch seconds
     */
    public void follow(@Nullable Job before, Job job, long at) {
        if (!hasBegun()) {
            return;
        }
        long end = job.end() == Job.NONE ? at : job.end();
        boolean over = job.finished() && job.start() != Job.NONE && before != null && !before.finished();
        if (!hasRun(before) && (hasRun(job) || over) && job.start() >= since) {
            each(job, JobTotals::start);
        }
        if (before != null && before.active()) {
            if (!job.active()) {
                use(before, before.start(), end, 1);
            } else if (!countsAlike(before, job)) {
                use(before, job.start(), at, 1);
                use(job, job.start(), at, -1);
            }
        } else if (over) {
            use(job, job.start(), end, 1);
        }
        if (over) {
            each(job, totals -> totals.end(job, end));
        }
    }

    private static boolean hasRun(@Nullable Job job) {
        return job != null && job.runs();
    }

    /** Returns whether two versions of an active job use the same in the same names; reports often say nothing new. */
    private static boolean countsAlike(Job one, Job other) {
        return Objects.equals(one.qos(), other.qos())
                && one.dedicatedProcs() == other.dedicatedProcs()
                && one.request().credentials().equals(other.request().credentials());
    }

    /** Adds what {@code job} has held from {@code start} to {@code end}; a {@code sign} of -1 takes it away. */
    private void use(Job job, long start, long end, int sign) {
        long amount = sign * used(job, start, end);
        if (amount != 0) {
            each(job, totals -> totals.use(amount));
        }
    }

    private long used(Job job, long start, long end) {
        return start == Job.NONE ? 0 : job.dedicatedProcs() * JobTotals.span(Math.max(since, start), end);
    }

    /** What is done to the totals of each credential of a job. */
    private interface Counting {
        void count(JobTotals totals);
    }

    private void each(Job job, Counting counting) {
        count(all, counting);
        for (CredentialKind kind : KINDS) {
            String name = kind.of(job);
            if (name != null && !name.isEmpty()) {
                count(account(kind, name), counting);
            }
        }
    }

    private void count(Account account, Counting counting) {
        counting.count(account.totals);
        changed(account);
    }

    private void changed(Account account) {
        if (!account.changed) {
            account.changed = true;
            changed.add(account);
        }
    }

    /** Returns what {@code name} counts in. */
    private Account account(CredentialKind kind, String name) {
        Map<String, Account> names = names(kind);
        Account known = names.get(name);
        return known != null ? known : opened(kind, accountName(names, name));
    }

    private Account opened(CredentialKind kind, String name) {
        return names(kind).computeIfAbsent(name, missing -> new Account(id(kind, name)));
    }

    /** Returns the name that {@code name} counts under. */
    private static String accountName(Map<String, ?> names, String name) {
        return names.containsKey(name) || names.size() < MOST_OF_A_KIND ? name : OTHERS;
    }

    /** Returns the line of all jobs together. */
    public CredentialUse all(Iterable<Job> active, long now) {
        CredentialUse use = new CredentialUse(ALL, all.totals);
        active.forEach(job -> use.add(job, used(job, job.start(), now)));
        return use;
    }

    /**
     * Returns a line for each credential of a kind that had or has jobs, by name; that of the others has no name and comes
     * first.
     */
    public SortedMap<String, CredentialUse> of(CredentialKind kind, Iterable<Job> active, long now) {
        SortedMap<String, CredentialUse> lines = new TreeMap<>();
        names(kind).forEach((name, account) -> lines.put(name, new CredentialUse(name, account.totals)));
        for (Job job : active) {
            String name = kind.of(job);
            if (name != null && !name.isEmpty()) {
                lines.computeIfAbsent(accountName(lines, name), missing -> new CredentialUse(missing, new JobTotals()))
                        .add(job, used(job, job.start(), now));
            }
        }
        return lines;
    }

    /** Takes over a stored version. */
    public void restore(CredentialRecord stored) {
        JobTotals totals = JobTotals.from(stored);
        if (stored.getKind().equals(ALL)) {
            all.totals = totals;
            since = stored.getSince();
            up = new UpTime(stored.getUpProcs(), stored.getUpSince(), stored.getUpProcSeconds());
        } else {
            opened(CredentialKind.valueOf(stored.getKind()), stored.getName()).totals = totals;
        }
    }

    /** Returns the version that is stored; null of one that was cleared. */
    public @Nullable CredentialRecord toRecord(String cluster, String id) {
        if (id.equals(ALL)) {
            return all.totals.toRecord(cluster, ALL, OTHERS, since, up);
        }
        int slash = id.indexOf('/');
        String kind = id.substring(0, slash);
        String name = id.substring(slash + 1);
        Account account = names(CredentialKind.valueOf(kind)).get(name);
        return account == null ? null : account.totals.toRecord(cluster, kind, name, since, UpTime.NONE);
    }

    /** Returns the ids of all that is stored, sorted. */
    public Collection<String> ids() {
        Set<String> ids = new TreeSet<>();
        if (hasBegun()) {
            ids.add(ALL);
        }
        accounts.forEach((kind, names) -> names.keySet().forEach(name -> ids.add(id(kind, name))));
        return ids;
    }

    /** Returns the ids of what changed since the last call, sorted. */
    public Collection<String> drain() {
        SortedSet<String> ids = new TreeSet<>();
        changed.forEach(account -> ids.add(account.id));
        forgetChanges();
        return ids;
    }

    /** Has the next {@link #drain} begin with what changes from here on. */
    public void forgetChanges() {
        for (int i = 0; i < changed.size(); i++) {
            changed.get(i).changed = false;
        }
        changed.clear();
    }

    private Map<String, Account> names(CredentialKind kind) {
        return accounts.computeIfAbsent(kind, missing -> new LinkedHashMap<>());
    }

    private static String id(CredentialKind kind, String name) {
        return kind.name() + "/" + name;
    }
}
