package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.List;

/**
 * What the nodes of one partition that would do for some requirement of a job have together when nothing runs there: a bound
 * on what they hold, however its tasks lie. Of what floats over the cluster they have what there is of it.
 */
final class IdleTotals {
    private final NodeResources resources;
    private final long[] amounts;
    private long tasks;

    IdleTotals(NodeResources resources) {
        this.resources = resources;
        amounts = new long[resources.count()];
    }

    /** Adds {@code number} nodes like the one at {@code position}, each of which takes no more than {@code most} tasks of the job. */
    void add(int position, int number, int most) {
        tasks += (long) number * most;
        for (int r = 0; r < amounts.length; r++) {
            if (!resources.floats(r, position)) {
                amounts[r] += (long) number * resources.ofOneJob(r, position);
            }
        }
    }

    /** Adds what floats over the cluster, once. */
    void addFloating() {
        for (int r = 0; r < amounts.length; r++) {
            amounts[r] += Math.max(0, resources.floating(r));
        }
    }

    /** Returns how often the tasks of all {@code requirements}, of which each takes one of {@code needs}, fit in side by side. */
    long times(TaskNeed[] needs, List<Requirement> requirements) {
        long asked = requirements.stream().mapToLong(Requirement::tasks).sum();
        long times = tasks / asked;
        for (int r = 0; r < amounts.length; r++) {
            long taken = 0;
            for (int i = 0; i < needs.length; i++) {
                taken += (long) needs[i].full()[r] * requirements.get(i).tasks();
            }
            if (taken > 0 && r != NodeResources.PRESENCE) {
                times = Math.min(times, amounts[r] / taken);
            }
        }
        return times;
    }
}
