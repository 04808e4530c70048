package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.timeline.StartTimeScan;
import java.util.Arrays;
import java.util.List;

/** What one search for a job of several requirements may still cost. Counts choices among nodes at each instant once. */
final class SearchAllowance {
    private final SpreadEffort effort;
    private final Job job;
    private final PlanKey.Part part;
    private final long first;
    private final long reach;

    /** Tasks of each requirement that the nodes held when it was counted last, and when that was; empty before. */
    private long[] held = {};

    private long counted;

    private long left;

    /**
     * Begins a search.
     *
     * @param first first start, epoch seconds
     */
    SearchAllowance(SpreadEffort effort, Job job, PlanKey.Part part, long first) {
        this.effort = effort;
        this.job = job;
        this.part = part;
        this.first = first;
        left = effort.left(job);
        reach = left == 0
                ? first - 1
                : effort.reach(first, job.request().requirements().size(), left);
    }

    /** Returns the last start to look at, epoch seconds; {@link Long#MAX_VALUE} for all of them. */
    long reach() {
        return reach;
    }

    /**
     * Counts one choice for each requirement among the nodes that hold tasks at {@code start}, epoch seconds; returns false
     * when that is too much. Where nothing is planned otherwise than at the start counted last, nothing is counted.
     */
    boolean choose(List<StartTimeScan> scans, long start) {
        long[] holding = new long[part.groups().size()];
        long looks = 0;
        for (int i = 0; i < holding.length; i++) {
            holding[i] = scans.get(i).total();
            looks += Math.min(holding[i], part.groups().get(i).positions().length);
        }
        if (Arrays.equals(held, holding)
                && !effort.changes(counted, start)
                && !effort.changes(counted + job.plannedSeconds(), start + job.plannedSeconds())) {
            return true;
        }
        held = holding;
        counted = start;
        boolean may = looks <= left;
        left -= Math.min(left, looks);
        effort.count(job, looks);
        return may;
    }

    /** Ends the search at {@code last}, epoch seconds; {@link Long#MAX_VALUE} where it went as far as it may. */
    void end(long last) {
        int requirements = part.groups().size();
        effort.count(job, Math.min(left + 1, effort.cost(first, Math.min(last, reach), requirements)));
    }
}
