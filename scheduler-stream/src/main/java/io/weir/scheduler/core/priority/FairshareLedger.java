package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.state.FairshareStatus;
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

    private final SortedMap<String, FairshareAccount> accounts = new TreeMap<>();

    /** Processors of the active jobs that have begun, by the ids of their accounts; none is 0. */
    private final SortedMap<String, Long> rates = new TreeMap<>();

    /** Ids of rates without an account. */
    private final SortedSet<String> withoutAccount = new TreeSet<>();

    /** Active jobs that begin after {@link #chargedUntil}, by id. */
    private final SortedMap<String, Job> starters = new TreeMap<>();

    private final Set<String> changed = new TreeSet<>();
    private FairshareSettings settings = FairshareSettings.DEFAULT;
    private FairshareWindows windows = new FairshareWindows(settings);
    private long chargedUntil = Job.NONE;

    /** Whether the rates are those of the active jobs. */
    private boolean begun;

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
        windows = new FairshareWindows(inForce);
    }

    /** Takes over a stored account. */
    public void restore(FairshareStatus status) {
        FairshareAccount account = FairshareAccount.of(status);
        accounts.put(account.id(), account);
        if (account.isOfAll()) {
            chargedUntil = account.until();
        }
    }

    /** Returns the stored form of an account; null when it is no more. */
    public @Nullable FairshareStatus toRecord(String cluster, String id) {
        FairshareAccount account = accounts.get(id);
        return account == null ? null : account.toRecord(cluster, account.isOfAll() ? chargedUntil : account.until());
    }

    /** Returns an account with all that is charged by now, as it may be stored with the instant of {@link FairshareAccount#ALL} alone. */
    public @Nullable FairshareStatus settledRecord(String cluster, String id) {
        FairshareAccount account = accounts.get(id);
        if (account == null) {
            return null;
        }
        FairshareAccount settled = account.copy();
        settled.settle(rates.getOrDefault(id, 0L), chargedUntil, windows);
        return settled.toRecord(cluster, settled.isOfAll() ? chargedUntil : Job.NONE);
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
        for (FairshareAccount account : accounts.values()) {
            if (account.until() == Job.NONE) {
                account.countedUntil(chargedUntil);
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
        ids.add(FairshareAccount.ALL);
        for (CredentialKind kind : CredentialKind.values()) {
            String name = kind.of(job);
            if (name != null) {
                ids.add(FairshareAccount.id(kind, name));
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
                touch(FairshareAccount.ALL);
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
        account(FairshareAccount.ALL, windows.of(now)).countedUntil(now);
        for (FairshareAccount account : accounts.values()) {
            account.countedUntil(now);
            touch(account.id());
        }
    }

    private void chargeUntil(long now) {
        boolean turned = windows.of(now) > windows.of(chargedUntil);
        open(now);
        settle(FairshareAccount.ALL, now);
        for (Job job : List.copyOf(starters.values())) {
            if (job.start() <= now) {
                starters.remove(job.id());
                charge(job, now);
                rate(job, job.dedicatedProcs(), now);
            }
        }
        if (turned) {
            settleAll(now);
            forgetOld(windows.of(now));
        }
        chargedUntil = now;
    }

    /** Opens accounts for jobs that have none, as far as there is room, and charges what was used there up to {@code now}. */
    private void open(long now) {
        for (String id : List.copyOf(withoutAccount)) {
            if (accounts.size() >= MOST_ACCOUNTS) {
                return;
            }
            account(id, windows.of(chargedUntil)).countedUntil(chargedUntil);
            settle(id, now);
        }
    }

    /** Charges what one active job used up to {@code until}; for a job that gives its nodes back then. */
    public void charge(Job job, long until) {
        if (!settings.enabled() || chargedUntil == Job.NONE || job.start() == Job.NONE) {
            return;
        }
        long from = windows.counting(Math.max(chargedUntil, job.start()), until);
        long procs = job.dedicatedProcs();
        while (from < until) {
            long window = windows.of(from);
            long to = Math.min(until, windows.start(window + 1));
            for (String id : accountsOf(job)) {
                if (accounts.containsKey(id)) {
                    add(id, window, procs * (to - from));
                } else if (accounts.size() < MOST_ACCOUNTS) {
                    account(id, window).countedUntil(chargedUntil);
                    add(id, window, procs * (to - from));
                }
            }
            from = to;
        }
    }

    /** Returns the part of all use that is the credential's, percent in millionths, as of {@code now}. */
    public long percent(CredentialKind kind, String name, long now) {
        long total = decayed(FairshareAccount.ALL, now);
        return total == 0 ? 0 : Micros.of(100, decayed(FairshareAccount.id(kind, name), now), total);
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
        FairshareAccount account = accounts.get(id);
        if (account == null) {
            return 0;
        }
        boolean counts = account.until() != Job.NONE && chargedUntil != Job.NONE;
        return account.decayed(windows.of(now), counts ? rates.getOrDefault(id, 0L) : 0, chargedUntil, windows);
    }

    private void settleAll(long instant) {
        rates.keySet().forEach(id -> settle(id, instant));
    }

    /** Has an account say all that was used up to {@code instant}. */
    private void settle(String id, long instant) {
        FairshareAccount account = accounts.get(id);
        if (account != null && account.until() < instant) {
            account.settle(rates.getOrDefault(id, 0L), instant, windows);
            touch(id);
        }
    }

    private void add(String id, long window, long amount) {
        account(id, window).add(window, amount);
        touch(id);
    }

    /** Returns an account; a new one begins with {@code window}. */
    private FairshareAccount account(String id, long window) {
        FairshareAccount known = accounts.get(id);
        if (known != null) {
            return known;
        }
        FairshareAccount account = FairshareAccount.open(id, window, windows.depth());
        accounts.put(id, account);
        withoutAccount.remove(id);
        return account;
    }

    private void forgetOld(long window) {
        for (FairshareAccount account : List.copyOf(accounts.values())) {
            if (!account.isOfAll() && account.isOld(window, windows)) {
                accounts.remove(account.id());
                touch(account.id());
            }
        }
    }

    private void touch(String id) {
        changed.add(id);
    }
}
