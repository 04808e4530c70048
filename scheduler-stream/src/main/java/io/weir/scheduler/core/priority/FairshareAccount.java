package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.state.FairshareStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processor seconds of one credential, or of all jobs together, by window. Owned by the core's thread. */
final class FairshareAccount {
    /** Account of the use of all jobs together. */
    static final String ALL = "ALL";

    /** Null for the use of all jobs together. */
    private final @Nullable CredentialKind kind;

    private final String name;
    private long newest;

    /** Use in the newest window and those before it, newest first. */
    private long[] seconds;

    /** Up to when its jobs are counted, epoch seconds; NONE for as long as those of all are. */
    private long until;

    private FairshareAccount(@Nullable CredentialKind kind, String name, long newest, long[] seconds, long until) {
        this.kind = kind;
        this.name = name;
        this.newest = newest;
        this.seconds = seconds;
        this.until = until;
    }

    /** Opens the account with that id; it begins with {@code window}. */
    static FairshareAccount open(String id, long window, int depth) {
        int slash = id.indexOf('/');
        CredentialKind kind = slash < 0 ? null : CredentialKind.valueOf(id.substring(0, slash));
        return new FairshareAccount(
                kind, kind == null ? ALL : id.substring(slash + 1), window, new long[depth], Job.NONE);
    }

    /** Returns an account as it was stored. */
    static FairshareAccount of(FairshareStatus status) {
        String kind = status.getKind();
        Instant until = status.getChargedUntil();
        return new FairshareAccount(
                kind.equals(ALL) ? null : CredentialKind.valueOf(kind),
                status.getName(),
                status.getWindow(),
                status.getProcSeconds().stream().mapToLong(Long::longValue).toArray(),
                until == null ? Job.NONE : until.getEpochSecond());
    }

    /** Returns the id of the account of a credential. */
    static String id(CredentialKind kind, String name) {
        return kind.name() + "/" + name;
    }

    FairshareAccount copy() {
        return new FairshareAccount(kind, name, newest, seconds.clone(), until);
    }

    String id() {
        return kind == null ? ALL : id(kind, name);
    }

    /** Says whether it is that of all jobs together. */
    boolean isOfAll() {
        return kind == null;
    }

    long until() {
        return until;
    }

    /** Says up to when its jobs are counted, without counting any. */
    void countedUntil(long instant) {
        until = instant;
    }

    /** Says whether nothing in it counts in {@code window} any more. */
    boolean isOld(long window, FairshareWindows windows) {
        return window - newest >= windows.depth();
    }

    /** Adds use in {@code window}. */
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

    /** Counts the use of {@code procs} processors from where it has come to up to {@code instant}. */
    void settle(long procs, long instant, FairshareWindows windows) {
        if (until == Job.NONE || until >= instant) {
            return;
        }
        long from = procs == 0 ? instant : windows.counting(until, instant);
        while (from < instant) {
            long window = windows.of(from);
            long to = Math.min(instant, windows.start(window + 1));
            add(window, procs * (to - from));
            from = to;
        }
        until = instant;
    }

    /** Returns the use in all windows up to the newest, older ones for less, with that of {@code procs} processors up to {@code instant}. */
    long decayed(long newestWindow, long procs, long instant, FairshareWindows windows) {
        long sum = 0;
        for (int age = 0; age < windows.depth(); age++) {
            long window = newestWindow - age;
            long used = in(window);
            if (procs != 0) {
                used += procs * windows.span(window, until, instant);
            }
            sum += windows.weighed(used, age);
        }
        return sum;
    }

    private long in(long window) {
        long age = newest - window;
        return age >= 0 && age < seconds.length ? seconds[(int) age] : 0;
    }

    /** Returns the stored form, which says that it is counted up to {@code instant}; NONE for as long as that of all. */
    FairshareStatus toRecord(String cluster, long instant) {
        List<Long> use = new ArrayList<>(seconds.length);
        for (long each : seconds) {
            use.add(each);
        }
        return new FairshareStatus(
                cluster,
                kind == null ? ALL : kind.name(),
                name,
                newest,
                use,
                instant == Job.NONE ? null : Instant.ofEpochSecond(instant));
    }
}
