package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;

/**
 * How many jobs one iteration may start, so that thousands that can start at once, on a cluster that was just repaired say, do
 * not keep the next facts waiting for a minute.
 */
final class StartAllowance {
    /** What all starts of an iteration may take: a tenth of a second or so. */
    static final long MOST = 200_000;

    private final StartEffort effort;
    private final long most;
    private long used;

    StartAllowance(StartEffort effort, long most) {
        this.effort = effort;
        this.most = most;
    }

    /** Counts the start of {@code job}, which holds its nodes by now. */
    void started(Job job) {
        used += effort.of(job.id());
    }

    /** Returns whether no other job may start in this iteration; at least one did. */
    boolean spent() {
        return used >= most;
    }
}
