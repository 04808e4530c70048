package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts for each job that was passed over how many jobs that wait behind it started before it. Jobs that were set aside in the
 * walk and start after it count by their place in the queue. Where the count weighs nothing only its display depends on it: then
 * it is kept for the first few jobs with a reservation.
 */
final class BypassCounter {
    /** Jobs counted though the count weighs nothing. */
    private static final int SHOWN = 10;

    /** A job that was passed over or set aside. */
    private static final class Overtaken {
        private final Job job;

        /** Starts in the walk that are not behind it, or are reported already. */
        private int before;

        /** Jobs behind it that were set aside and have started since the last report. */
        private int outOfTurn;

        private boolean started;

        Overtaken(Job job, int before) {
            this.job = job;
            this.before = before;
        }
    }

    /** In queue order. */
    private final List<Overtaken> overtaken = new ArrayList<>();

    /** How many of these stand ahead of a job that was set aside, by its id. */
    private final SortedMap<String, Integer> aside = new TreeMap<>();

    private final boolean counting;
    private int starts;

    /** Begins a complete pass; {@code weighs} says whether the count is part of the priority. */
    BypassCounter(boolean weighs) {
        counting = weighs;
    }

    /** Returns whether every job that is passed over counts. */
    boolean counting() {
        return counting;
    }

    /** A job started at which the walk has stopped. */
    void started() {
        starts++;
    }

    /** {@code job} could not start; {@code reserved} says whether it has a reservation now. */
    void passed(Job job, boolean reserved) {
        if (counting || (reserved && overtaken.size() < SHOWN)) {
            overtaken.add(new Overtaken(job, starts));
        }
    }

    /** {@code job} may start when the walk has come to its end. */
    void setAside(Job job) {
        aside.put(job.id(), overtaken.size());
        passed(job, false);
    }

    /** {@code job}, which was set aside, started: those that stand ahead of it and wait are overtaken. */
    void startedAside(Job job) {
        int place = aside.getOrDefault(job.id(), 0);
        for (Overtaken ahead : overtaken.subList(0, place)) {
            ahead.outOfTurn++;
        }
        if (counting) {
            overtaken.get(place).started = true;
        }
    }

    /** Tells {@code actions} of every job that others overtook, and begins to count again for a continued pass. */
    void report(PlanActions actions) {
        for (Overtaken job : overtaken) {
            int count = starts - job.before + job.outOfTurn;
            if (count > 0 && !job.started) {
                actions.bypassed(job.job.id(), count);
            }
            job.before = starts;
            job.outOfTurn = 0;
        }
    }
}
