package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Window;
import io.weir.scheduler.core.policy.scheduler.BackfillMetric;
import java.util.List;

/** BACKFILLPOLICY BESTFIT: in each window the job with the largest metric; of equal ones the one with the highest priority. */
final class BestFitBackfill extends WindowBackfill {
    BestFitBackfill(BackfillMetric metric) {
        super(metric);
    }

    @Override
    List<Job> choose(Window window, WindowCandidates candidates, ResourcePlan plan) {
        Job best = candidates.takeLargest(window);
        return best == null ? List.of() : List.of(best);
    }
}
