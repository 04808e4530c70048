package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts for each job that was passed over how many jobs started after it in the walk. Where the count weighs nothing only
 * its display depends on it: then it is kept for the first few jobs with a reservation.
 */
final class BypassCounter {
    /** Jobs counted though the count weighs nothing. */
    private static final int SHOWN = 10;

    private final List<Job> passed = new ArrayList<>();
    private final List<Integer> before = new ArrayList<>();
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

    /** A job started. */
    void started() {
        starts++;
    }

    /** {@code job} could not start; {@code reserved} says whether it has a reservation now. */
    void passed(Job job, boolean reserved) {
        if (counting || (reserved && passed.size() < SHOWN)) {
            passed.add(job);
            before.add(starts);
        }
    }

    /** Tells {@code actions} of every job that others overtook, and begins to count again for a continued pass. */
    void report(PlanActions actions) {
        for (int i = 0; i < passed.size(); i++) {
            int overtaken = starts - before.get(i);
            if (overtaken > 0) {
                actions.bypassed(passed.get(i).id(), overtaken);
            }
            before.set(i, starts);
        }
    }
}
