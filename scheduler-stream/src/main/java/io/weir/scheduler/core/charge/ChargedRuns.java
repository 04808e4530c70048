package io.weir.scheduler.core.charge;

import io.weir.scheduler.state.ChargeRun;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The runs that are charged, by key, and when each is to be charged again. An object has one run at a time, and a past one
 * while it is open whether a node ended it. Owned by the core's thread.
 */
final class ChargedRuns {
    private final String cluster;
    private final SuspectNodes suspects;
    private final SortedMap<String, ChargedRun> runs = new TreeMap<>();
    private final SortedMap<Long, SortedSet<String>> due = new TreeMap<>();
    private final SortedSet<String> changed = new TreeSet<>();

    /** Keeps the runs of {@code cluster}; those that failed without a known reason are noted in {@code suspects}. */
    ChargedRuns(String cluster, SuspectNodes suspects) {
        this.cluster = cluster;
        this.suspects = suspects;
    }

    /** Returns the run of a job; null when nothing of it is known. */
    @Nullable
    ChargedRun ofJob(String id) {
        return runs.get(ChargedRun.JOB + ":" + id);
    }

    /** Returns the run of a reservation; null when nothing of it is known. */
    @Nullable
    ChargedRun ofReservation(String id) {
        return runs.get(ChargedRun.RESERVATION + ":" + id);
    }

    /** Returns the run under {@code key}, which has to be known. */
    ChargedRun known(String key) {
        return Objects.requireNonNull(runs.get(key), () -> "run " + key + " is referred to and not known");
    }

    /** Returns the runs there are now, sorted by key. */
    Collection<ChargedRun> all() {
        return List.copyOf(runs.values());
    }

    /**
     * Begins a run that takes the place of the object's last one.
     *
     * @param start when it began, epoch seconds
     * @param since the instant before which nothing is charged, epoch seconds
     * @param flushSeconds after how long it is charged for the first time; 0 for not before its end
     */
    ChargedRun begin(String type, String id, long start, long since, long flushSeconds) {
        ChargedRun run = new ChargedRun(type, id, start);
        ChargedRun old = runs.put(run.key(), run);
        if (old != null) {
            unschedule(old);
            setPast(old, start);
            run.follow(old);
        }
        run.notBefore(since);
        schedule(run, flushSeconds == 0 ? ChargedRun.NEVER : Math.max(start, since) + flushSeconds);
        return run;
    }

    /** Another run takes the place of {@code old}: that one is kept while a node may have ended it. */
    private void setPast(ChargedRun old, long start) {
        boolean suspected = !old.suspects.isEmpty() && old.start != start;
        List<String> nodes = old.suspects;
        int polls = old.suspectedFor;
        suspects.clear(old);
        if (suspected) {
            ChargedRun past = old.past();
            ChargedRun before = runs.put(past.key(), past);
            if (before != null) {
                suspects.clear(before);
            }
            suspects.add(past, nodes, polls);
            changed(past);
        }
    }

    /** Has {@code run} be charged again at {@code at}, epoch seconds, or {@link ChargedRun#NEVER}, instead of when it was due. */
    void reschedule(ChargedRun run, long at) {
        unschedule(run);
        schedule(run, at);
    }

    private void schedule(ChargedRun run, long at) {
        run.due = at;
        enlist(run);
        changed(run);
    }

    private void enlist(ChargedRun run) {
        if (run.due != ChargedRun.NEVER) {
            due.computeIfAbsent(run.due, instant -> new TreeSet<>()).add(run.key());
        }
    }

    private void unschedule(ChargedRun run) {
        SortedSet<String> there = run.due == ChargedRun.NEVER ? null : due.get(run.due);
        if (there != null && there.remove(run.key()) && there.isEmpty()) {
            due.remove(run.due);
        }
    }

    /** Returns when the next run is to be charged again, epoch seconds; {@link ChargedRun#NEVER} for none. */
    long nextDue() {
        return due.isEmpty() ? ChargedRun.NEVER : due.firstKey();
    }

    /** Returns the run that is due at {@link #nextDue}, by key the first; there has to be one. */
    ChargedRun firstDue() {
        return known(Objects.requireNonNull(due.get(due.firstKey())).first());
    }

    /** Says that {@code run} changed. */
    void changed(ChargedRun run) {
        changed.add(run.key());
    }

    /** Says that a node has nothing to do with the end of {@code run} any more, if none has; a past run then is of no use. */
    void settled(ChargedRun run) {
        if (run.isPast && run.suspects.isEmpty()) {
            runs.remove(run.key());
        }
        changed(run);
    }

    /** Forgets what is known of a job, its past run included. */
    void forgetJob(String id) {
        if (runs.isEmpty()) {
            return;
        }
        for (String key : List.of(ChargedRun.JOB + ":" + id, ChargedRun.PAST + ChargedRun.JOB + ":" + id)) {
            ChargedRun run = runs.get(key);
            if (run != null) {
                forget(run);
            }
        }
    }

    void forget(ChargedRun run) {
        unschedule(run);
        suspects.clear(run);
        runs.remove(run.key());
        changed(run);
    }

    /** Returns the keys, sorted. */
    List<String> ids() {
        return List.copyOf(runs.keySet());
    }

    /** Takes over a stored run. */
    void restore(ChargeRun record) {
        ChargedRun run = ChargedRun.from(record);
        runs.put(run.key(), run);
        suspects.restore(run);
        enlist(run);
    }

    /** Returns a run as it is stored; null when it is over. */
    @Nullable
    ChargeRun toRecord(String id) {
        ChargedRun run = runs.get(id);
        return run == null ? null : run.toRecord(cluster);
    }

    /** Returns the keys of runs that changed since the last call, sorted. */
    SortedSet<String> drain() {
        if (changed.isEmpty()) {
            return Collections.emptySortedSet();
        }
        SortedSet<String> ids = new TreeSet<>(changed);
        changed.clear();
        return ids;
    }
}
