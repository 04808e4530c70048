package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import java.util.ArrayList;
import java.util.List;

/**
 * BACKFILLPOLICY GREEDY: in each window the jobs that together have the largest metric. Up to twelve candidates every
 * combination is tried; of more, the largest that still fit are taken one by one.
 */
final class GreedyBackfill extends WindowBackfill {
    /** Candidates up to which every combination is tried. */
    private static final int EXACT = 12;

    GreedyBackfill(BackfillMetric metric) {
        super(metric);
    }

    @Override
    List<Job> choose(Window window, List<Job> fitting, ResourcePlan plan) {
        return fitting.size() <= EXACT
                ? bestTogether(fitting, window.procs(), plan)
                : largestFirst(fitting, window.procs(), plan);
    }

    private List<Job> bestTogether(List<Job> jobs, long procs, ResourcePlan plan) {
        int best = 0;
        long bestSum = 0;
        for (int set = 1; set < 1 << jobs.size(); set++) {
            long width = 0;
            long sum = 0;
            for (int i = 0; i < jobs.size(); i++) {
                if ((set >>> i & 1) != 0) {
                    width += jobs.get(i).request().procs();
                    sum += metric(jobs.get(i), plan);
                }
            }
            if (width <= procs && sum > bestSum) {
                best = set;
                bestSum = sum;
            }
        }
        List<Job> chosen = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            if ((best >>> i & 1) != 0) {
                chosen.add(jobs.get(i));
            }
        }
        return chosen;
    }

    private List<Job> largestFirst(List<Job> jobs, long procs, ResourcePlan plan) {
        List<Job> rest = new ArrayList<>(jobs);
        List<Job> chosen = new ArrayList<>();
        long left = procs;
        while (!rest.isEmpty()) {
            Job job = largest(rest, plan);
            rest.remove(job);
            if (job != null && job.request().procs() <= left) {
                chosen.add(job);
                left -= job.request().procs();
            }
        }
        return chosen;
    }
}
