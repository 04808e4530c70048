package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import java.util.ArrayList;
import java.util.List;

/** Counts for each job that was passed over how many jobs started after it in the walk, where that weighs anything. */
final class Bypasses {
    private final List<Job> passed = new ArrayList<>();
    private final List<Integer> before = new ArrayList<>();
    private boolean counting;
    private int starts;

    /** Begins a complete pass. */
    void begin(boolean weighs) {
        counting = weighs;
        passed.clear();
        before.clear();
        starts = 0;
    }

    /** A job started. */
    void started() {
        starts++;
    }

    /** {@code job} could not start. */
    void passed(Job job) {
        if (counting) {
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
