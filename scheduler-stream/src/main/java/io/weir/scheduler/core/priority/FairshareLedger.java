package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.state.FairshareStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Dedicated processor seconds by credential and window of time. Windows are FSINTERVAL long and aligned to the epoch; use
 * older than FSDEPTH windows is forgotten. Every second of an active job is charged once: up to {@link #chargedUntil} it
 * has been. Owned by the core's thread.
 *
 * <p>An account is the use up to an instant of its own. From there on it grows by the processors of the active jobs of its
 * credential, so that it is stored only when one of these comes, goes or changes, and at the turn of a window. Whoever
 * restores it finds the rest by the jobs that are active.
 */
public final class FairshareLedger {
    /** Accounts at most; what further credentials use counts in the use of all alone, until others are forgotten. */
    static final int MOST_ACCOUNTS = 100_000;

    /** Account of the use of all jobs together. */
    private static final String ALL = "ALL";

    private final SortedMap<String, Account> accounts = new TreeMap<>();

    /** Processors of the active jobs that have begun, by the ids of their accounts; none is 0. */
    private final SortedMap<String, Long> rates = new TreeMap<>();

    /** Ids of rates without an account. */
    private final SortedSet<String> withoutAccount = new TreeSet<>();

    /** Active jobs that begin after {@link #chargedUntil}, by id. */
    private final SortedMap<String, Job> starters = new TreeMap<>();

    private final Set<String> changed = new TreeSet<>();
    private FairshareSettings settings = FairshareSettings.DEFAULT;
    private long[] decay = {Micros.ONE};
    private long chargedUntil = Job.NONE;

    /** Whether the rates are those of the active jobs. */
    private boolean begun;

    /** Use in the newest window and those before it, newest first. */
    private static final class Account {
        private final @Nullable CredentialKind kind;
        private final String name;
        private long newest;
        private long[] seconds;

        /** Up to when its jobs are counted, epoch seconds; NONE for as long as those of all are. */
        private long until;

        Account(@Nullable CredentialKind kind, String name, long newest, long[] seconds, long until) {
            this.kind = kind;
            this.name = name;
            this.newest = newest;
            this.seconds = seconds;
            this.until = until;
        }

        Account copy() {
            return new Account(kind, name, newest, seconds.clone(), until);
        }

        String id() {
            return FairshareLedger.id(kind, name);
        }

        void add(long window, long amount) {
            if (window > newest) {
                long[] shifted = new long[seconds.length];
                long by = window - newest;
                for (int i = 0; i + by < shifted.length; i++) {
                    shifted[(int) (i + by)] = seconds[i];
                }
                seconds = shifted;
                newest = window;
            }
            long age = newest - window;
            if (age < seconds.length) {
                seconds[(int) age] += amount;
            }
        }

        long in(long window) {
            long age = newest - window;
            return age >= 0 && age < seconds.length ? seconds[(int) age] : 0;
        }
    }

    /** Keeps use in windows of another length or number from now on: all past use is void. */
    public void change(FairshareSettings inForce) {
        boolean same = inForce.intervalSeconds() == settings.intervalSeconds() && inForce.depth() == settings.depth();
        if (!same) {
            clear();
        }
        configure(inForce);
    }

    /** Forgets all past use; what active jobs use counts again from the next charge on. */
    public void clear() {
        accounts.keySet().forEach(this::touch);
        accounts.clear();
        chargedUntil = Job.NONE;
    }

    /** Keeps use by {@code inForce}. */
    public void configure(FairshareSettings inForce) {
        settings = inForce;
        decay = new long[Math.max(1, inForce.depth())];
        decay[0] = Micros.ONE;
        for (int age = 1; age < decay.length; age++) {
            decay[age] = decay[age - 1] * Micros.of(inForce.decay()) / Micros.ONE;
        }
    }

    /** Takes over a stored account. */
    public void restore(FairshareStatus status) {
        String kind = status.getKind();
        CredentialKind credential = kind.equals(ALL) ? null : CredentialKind.valueOf(kind);
        Instant until = status.getChargedUntil();
        Account account = new Account(
                credential,
                status.getName(),
                status.getWindow(),
                status.getProcSeconds().stream().mapToLong(Long::longValue).toArray(),
                until == null ? Job.NONE : until.getEpochSecond());
        accounts.put(account.id(), account);
        if (credential == null) {
            chargedUntil = account.until;
        }
    }

    /** Returns the stored form of an account; null when it is no more. */
    public @Nullable FairshareStatus toRecord(String cluster, String id) {
        Account account = accounts.get(id);
        return account == null ? null : record(cluster, account, account.kind == null ? chargedUntil : account.until);
    }

    /** Returns an account with all that is charged by now, as it may be stored with the instant of {@link #ALL} alone. */
    public @Nullable FairshareStatus settledRecord(String cluster, String id) {
        Account account = accounts.get(id);
        if (account == null) {
            return null;
        }
        Account settled = account.copy();
        settle(settled, rates.getOrDefault(id, 0L), chargedUntil);
        return record(cluster, settled, settled.kind == null ? chargedUntil : Job.NONE);
    }

    private static FairshareStatus record(String cluster, Account account, long until) {
        List<Long> seconds = new ArrayList<>(account.seconds.length);
        for (long each : account.seconds) {
            seconds.add(each);
        }
        CredentialKind kind = account.kind;
        return new FairshareStatus(
                cluster,
                kind == null ? ALL : kind.name(),
                account.name,
                account.newest,
                seconds,
                until == Job.NONE ? null : Instant.ofEpochSecond(until));
    }

    /** Returns the ids of all accounts, sorted. */
    public Collection<String> ids() {
        return List.copyOf(accounts.keySet());
    }

    /** Returns the ids of the accounts changed since the last call, sorted. */
    public Set<String> drain() {
        Set<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }

    /** Has the next {@link #drain} begin with what changes from here on. */
    public void forgetChanges() {
        changed.clear();
    }

    /** Says which jobs are active, before anything else is said of jobs or asked; only the first call counts. */
    public void begin(Iterable<Job> active) {
        if (begun) {
            return;
        }
        begun = true;
        for (Account account : accounts.values()) {
            if (account.until == Job.NONE) {
                account.until = chargedUntil;
                touch(account.id());
            }
        }
        count(active);
    }

    /** Counts the jobs that are active, and nothing that they used. */
    private void count(Iterable<Job> active) {
        rates.clear();
        withoutAccount.clear();
        starters.clear();
        for (Job job : active) {
            join(job, Job.NONE);
        }
    }

    /**
     * Says that {@code job} takes the place of {@code before}, its last version.
     *
     * @param before null for a job that was not known
     * @param job null for one that is gone
     */
    public void follow(@Nullable Job before, @Nullable Job job) {
        if (chargedUntil == Job.NONE) {
            // Nothing is charged; whoever begins to counts the active jobs.
            return;
        }
        Job old = before != null && isCharged(before) ? before : null;
        Job next = job != null && isCharged(job) ? job : null;
        if (old != null && next != null && chargesAlike(old, next)) {
            return;
        }
        if (old != null) {
            leave(old);
        }
        if (next != null) {
            join(next, chargedUntil);
        }
    }

    private static boolean isCharged(Job job) {
        return job.active() && job.start() != Job.NONE;
    }

    private static boolean chargesAlike(Job one, Job other) {
        boolean alike = one.start() == other.start() && one.dedicatedProcs() == other.dedicatedProcs();
        for (CredentialKind kind : CredentialKind.values()) {
            alike &= Objects.equals(kind.of(one), kind.of(other));
        }
        return alike;
    }

    /** Counts {@code job} from {@code instant} on; NONE leaves open from when on, as it is counted already. */
    private void join(Job job, long instant) {
        if (chargedUntil != Job.NONE && job.start() > chargedUntil) {
            starters.put(job.id(), job);
        } else if (isCharged(job)) {
            rate(job, job.dedicatedProcs(), instant);
        }
    }

    private void leave(Job job) {
        if (starters.remove(job.id()) == null) {
            rate(job, -job.dedicatedProcs(), chargedUntil);
        }
    }

    /** From {@code instant} on the accounts of {@code job} grow by {@code more} processors more. */
    private void rate(Job job, long more, long instant) {
        for (String id : accountsOf(job)) {
            settle(id, instant);
            Long sum = rates.merge(id, more, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
            if (sum == null) {
                withoutAccount.remove(id);
            } else if (!accounts.containsKey(id)) {
                withoutAccount.add(id);
            }
        }
    }

    private static List<String> accountsOf(Job job) {
        List<String> ids = new ArrayList<>(CredentialKind.values().length + 1);
        ids.add(ALL);
        for (CredentialKind kind : CredentialKind.values()) {
            String name = kind.of(job);
            if (name != null) {
                ids.add(id(kind, name));
            }
        }
        return ids;
    }

    /** Charges what the active jobs used up to {@code now}. */
    public void charge(Iterable<Job> active, long now) {
        begin(active);
        if (!settings.enabled()) {
            if (chargedUntil != Job.NONE) {
                settleAll(chargedUntil);
                chargedUntil = Job.NONE;
                touch(ALL);
            }
        } else if (chargedUntil == Job.NONE) {
            chargeFrom(active, now);
        } else if (now > chargedUntil) {
            chargeUntil(now);
        }
    }

    /** Begins to charge: what was used until {@code now}, and is not charged, never is. */
    private void chargeFrom(Iterable<Job> active, long now) {
        chargedUntil = now;
        count(active);
        account(ALL, window(now)).until = now;
        for (Account account : accounts.values()) {
            account.until = now;
            touch(account.id());
        }
    }

    private void chargeUntil(long now) {
        boolean turned = window(now) > window(chargedUntil);
        open(now);
        settle(ALL, now);
        for (Job job : List.copyOf(starters.values())) {
            if (job.start() <= now) {
                starters.remove(job.id());
                charge(job, now);
                rate(job, job.dedicatedProcs(), now);
            }
        }
        if (turned) {
            settleAll(now);
            forgetOld(window(now));
        }
        chargedUntil = now;
    }

    /** Opens accounts for jobs that have none, as far as there is room, and charges what was used there up to {@code now}. */
    private void open(long now) {
        for (String id : List.copyOf(withoutAccount)) {
            if (accounts.size() >= MOST_ACCOUNTS) {
                return;
            }
            account(id, window(chargedUntil)).until = chargedUntil;
            settle(id, now);
        }
    }

    /** Charges what one active job used up to {@code until}; for a job that gives its nodes back then. */
    public void charge(Job job, long until) {
        if (!settings.enabled() || chargedUntil == Job.NONE || job.start() == Job.NONE) {
            return;
        }
        long from = from(Math.max(chargedUntil, job.start()), until);
        long procs = job.dedicatedProcs();
        while (from < until) {
            long window = window(from);
            long to = Math.min(until, start(window + 1));
            for (String id : accountsOf(job)) {
                if (accounts.containsKey(id)) {
                    add(id, window, procs * (to - from));
                } else if (accounts.size() < MOST_ACCOUNTS) {
                    account(id, window).until = chargedUntil;
                    add(id, window, procs * (to - from));
                }
            }
            from = to;
        }
    }

    /** Returns the part of all use that is the credential's, percent in millionths, as of {@code now}. */
    public long percent(CredentialKind kind, String name, long now) {
        long total = decayed(ALL, now);
        return total == 0 ? 0 : Micros.of(100, decayed(id(kind, name), now), total);
    }

    /** Returns target less use in percent, in millionths; 0 where the kind of target says that the difference is fine. */
    public long difference(FairshareTarget target, CredentialKind kind, String name, long now) {
        if (!settings.enabled()) {
            return 0;
        }
        long difference = Micros.of(target.percent()) - percent(kind, name, now);
        return switch (target.kind()) {
            case TARGET -> difference;
            case FLOOR -> Math.max(0, difference);
            case CEILING -> Math.min(0, difference);
        };
    }

    /** Returns the use charged by now in all windows, older ones for less; 0 without an account. */
    private long decayed(String id, long now) {
        Account account = accounts.get(id);
        if (account == null) {
            return 0;
        }
        long procs = account.until == Job.NONE || chargedUntil == Job.NONE ? 0 : rates.getOrDefault(id, 0L);
        long newest = window(now);
        long sum = 0;
        for (int age = 0; age < decay.length; age++) {
            long window = newest - age;
            long seconds = account.in(window);
            if (procs != 0) {
                seconds += procs * span(window, account.until, chargedUntil);
            }
            sum += seconds / Micros.ONE * decay[age] + seconds % Micros.ONE * decay[age] / Micros.ONE;
        }
        return sum;
    }

    /** Returns how many seconds of [from, to) are in {@code window}. */
    private long span(long window, long from, long to) {
        return Math.max(0, Math.min(to, start(window + 1)) - Math.max(from, start(window)));
    }

    private void settleAll(long instant) {
        rates.keySet().forEach(id -> settle(id, instant));
    }

    /** Has an account say all that was used up to {@code instant}. */
    private void settle(String id, long instant) {
        Account account = accounts.get(id);
        if (account != null && account.until < instant) {
            settle(account, rates.getOrDefault(id, 0L), instant);
            touch(id);
        }
    }

    private void settle(Account account, long procs, long instant) {
        if (account.until == Job.NONE || account.until >= instant) {
            return;
        }
        long from = procs == 0 ? instant : from(account.until, instant);
        while (from < instant) {
            long window = window(from);
            long to = Math.min(instant, start(window + 1));
            account.add(window, procs * (to - from));
            from = to;
        }
        account.until = instant;
    }

    /** Returns {@code from}, or the start of the oldest window that counts at {@code until} when that is later. */
    private long from(long from, long until) {
        return Math.max(from, Math.max(0, start(window(until) - decay.length + 1)));
    }

    private void add(String id, long window, long amount) {
        account(id, window).add(window, amount);
        touch(id);
    }

    /** Returns an account; a new one begins with {@code window}. */
    private Account account(String id, long window) {
        Account known = accounts.get(id);
        if (known != null) {
            return known;
        }
        int slash = id.indexOf('/');
        CredentialKind kind = slash < 0 ? null : CredentialKind.valueOf(id.substring(0, slash));
        Account account = new Account(
                kind,
                kind == null ? ALL : id.substring(slash + 1),
                window,
                new long[Math.max(1, settings.depth())],
                Job.NONE);
        accounts.put(id, account);
        withoutAccount.remove(id);
        return account;
    }

    private void forgetOld(long window) {
        for (Account account : List.copyOf(accounts.values())) {
            if (account.kind != null && window - account.newest >= decay.length) {
                accounts.remove(account.id());
                touch(account.id());
            }
        }
    }

    private void touch(String id) {
        changed.add(id);
    }

    private long window(long second) {
        return Math.floorDiv(second, interval());
    }

    private long start(long window) {
        return window * interval();
    }

    private long interval() {
        return Math.max(1, settings.intervalSeconds());
    }

    private static String id(@Nullable CredentialKind kind, String name) {
        return kind == null ? ALL : kind.name() + "/" + name;
    }
}
