package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.job.FairshareSettings;
import io.weir.scheduler.core.policy.job.FairshareTarget;
import io.weir.scheduler.state.FairshareStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Dedicated processor seconds by credential and window of time. Windows are FSINTERVAL long and aligned to the epoch; use
 * older than FSDEPTH windows is forgotten. Every second of an active job is charged once: up to {@link #chargedUntil} it
 * has been. Owned by the core's thread.
 */
public final class FairshareLedger {
    /** Accounts at most; what further credentials use counts in the use of all alone, until others are forgotten. */
    static final int MOST_ACCOUNTS = 100_000;

    /** Account of the use of all jobs together. */
    private static final String ALL = "ALL";

    private final SortedMap<String, Account> accounts = new TreeMap<>();
    private final Set<String> changed = new TreeSet<>();
    private FairshareSettings settings = FairshareSettings.DEFAULT;
    private long[] decay = {Micros.ONE};
    private long chargedUntil = Job.NONE;

    /** Use in the newest window and those before it, newest first. */
    private static final class Account {
        private final @Nullable CredentialKind kind;
        private final String name;
        private long newest;
        private long[] seconds;

        Account(@Nullable CredentialKind kind, String name, long newest, long[] seconds) {
            this.kind = kind;
            this.name = name;
            this.newest = newest;
            this.seconds = seconds;
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
        Account account = new Account(
                credential,
                status.getName(),
                status.getWindow(),
                status.getProcSeconds().stream().mapToLong(Long::longValue).toArray());
        accounts.put(account.id(), account);
        Instant until = status.getChargedUntil();
        if (credential == null) {
            chargedUntil = until == null ? Job.NONE : until.getEpochSecond();
        }
    }

    /** Returns the stored form of an account; null when it is no more. */
    public @Nullable FairshareStatus toRecord(String cluster, String id) {
        Account account = accounts.get(id);
        if (account == null) {
            return null;
        }
        List<Long> seconds = new ArrayList<>(account.seconds.length);
        for (long each : account.seconds) {
            seconds.add(each);
        }
        CredentialKind kind = account.kind;
        boolean all = kind == null;
        return new FairshareStatus(
                cluster,
                kind == null ? ALL : kind.name(),
                account.name,
                account.newest,
                seconds,
                !all || chargedUntil == Job.NONE ? null : Instant.ofEpochSecond(chargedUntil));
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

    /** Charges what {@code active} jobs used up to {@code now}. */
    public void charge(Iterable<Job> active, long now) {
        if (!settings.enabled()) {
            if (chargedUntil != Job.NONE) {
                chargedUntil = Job.NONE;
                touch(ALL);
            }
            return;
        }
        if (chargedUntil == Job.NONE) {
            chargedUntil = now;
            account(null, ALL, window(now));
        } else if (now > chargedUntil) {
            for (Job job : active) {
                charge(job, now);
            }
            boolean turned = window(now) > window(chargedUntil);
            chargedUntil = now;
            if (turned) {
                forgetOld(window(now));
            }
        }
        touch(ALL);
    }

    /** Charges what one active job used up to {@code until}; for a job that gives its nodes back then. */
    public void charge(Job job, long until) {
        if (!settings.enabled() || chargedUntil == Job.NONE || job.start() == Job.NONE) {
            return;
        }
        long oldest = Math.max(0, window(until) - decay.length + 1) * settings.intervalSeconds();
        long from = Math.max(Math.max(chargedUntil, job.start()), oldest);
        long procs = job.dedicatedProcs();
        while (from < until) {
            long window = window(from);
            long to = Math.min(until, (window + 1) * settings.intervalSeconds());
            add(null, ALL, window, procs * (to - from));
            for (CredentialKind kind : CredentialKind.values()) {
                String name = kind.of(job);
                if (name != null && (accounts.size() < MOST_ACCOUNTS || accounts.containsKey(id(kind, name)))) {
                    add(kind, name, window, procs * (to - from));
                }
            }
            from = to;
        }
    }

    /** Returns the part of all use that is the credential's, percent in millionths, as of {@code now}. */
    public long percent(CredentialKind kind, String name, long now) {
        Account account = accounts.get(id(kind, name));
        Account all = accounts.get(ALL);
        if (account == null || all == null) {
            return 0;
        }
        long total = decayed(all, now);
        return total == 0 ? 0 : Micros.of(100, decayed(account, now), total);
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

    private long decayed(Account account, long now) {
        long lag = window(now) - account.newest;
        long sum = 0;
        for (int i = 0; i < account.seconds.length; i++) {
            long age = lag + i;
            if (age >= 0 && age < decay.length) {
                long seconds = account.seconds[i];
                sum += seconds / Micros.ONE * decay[(int) age] + seconds % Micros.ONE * decay[(int) age] / Micros.ONE;
            }
        }
        return sum;
    }

    private void add(@Nullable CredentialKind kind, String name, long window, long amount) {
        account(kind, name, window).add(window, amount);
        touch(id(kind, name));
    }

    private Account account(@Nullable CredentialKind kind, String name, long window) {
        return accounts.computeIfAbsent(
                id(kind, name), id -> new Account(kind, name, window, new long[Math.max(1, settings.depth())]));
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
        return Math.floorDiv(second, Math.max(1, settings.intervalSeconds()));
    }

    private static String id(@Nullable CredentialKind kind, String name) {
        return kind == null ? ALL : kind.name() + "/" + name;
    }
}
