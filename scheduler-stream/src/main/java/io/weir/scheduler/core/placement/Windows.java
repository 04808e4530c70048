package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;

/**
 * What reservations leave of the nodes over time. Instants are epoch seconds. Answers are about reservations the job may
 * not use and about running jobs; what is free at present is judged elsewhere.
 */
public interface Windows {
    /** Nothing is reserved. */
    Windows OPEN = new Windows() {
        @Override
        public boolean open() {
            return true;
        }

        @Override
        public int tasks(int position, Job job, Requirement requirement, long start, long end) {
            return Integer.MAX_VALUE;
        }

        @Override
        public long availableSince(int position, Job job, Requirement requirement, long start, long end) {
            return start;
        }

        @Override
        public long slack(int position, Job job, Requirement requirement, int tasks, long end) {
            return Candidates.FOREVER;
        }

        @Override
        public Affinity affinity(int position, Job job, long start, long end) {
            return Affinity.NONE;
        }

        @Override
        public double freeSeconds(int position, long from, long until) {
            return until - from;
        }
    };

    /** Returns whether nothing at all is reserved. */
    boolean open();

    /** Returns how many tasks of {@code requirement} fit the node during [start, end) as far as time is concerned. */
    int tasks(int position, Job job, Requirement requirement, long start, long end);

    /** Returns the earliest instant from which the node is free for a task without a break until {@code end}. */
    long availableSince(int position, Job job, Requirement requirement, long start, long end);

    /**
     * Returns for how many seconds after {@code end} the resources of {@code tasks} tasks stay free, or
     * {@link Candidates#FOREVER}.
     */
    long slack(int position, Job job, Requirement requirement, int tasks, long end);

    /** Returns how much the job is drawn to the node by reservations during [start, end). */
    Affinity affinity(int position, Job job, long start, long end);

    /** Returns the seconds of [from, until) that no reservation covers, averaged over the node's processors. */
    double freeSeconds(int position, long from, long until);
}
