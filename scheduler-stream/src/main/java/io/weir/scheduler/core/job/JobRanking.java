package io.weir.scheduler.core.job;

/** Gives every waiting job its rank. One object stands for one state of everything that ranks depend on. */
public interface JobRanking {
    /** Ranks nobody above anybody: queue time decides. */
    JobRanking NONE = new JobRanking() {
        @Override
        public boolean uniform() {
            return true;
        }

        @Override
        public Standing of(Job job) {
            return now -> 0;
        }
    };

    /** Returns whether two {@link Job#ordinary ordinary} jobs never stand in another order than that of their queue time. */
    boolean uniform();

    /** Returns what ranks {@code job}; holds as long as neither the job's version nor this object is replaced. */
    Standing of(Job job);

    /** The rank of one job as a function of time. */
    interface Standing {
        /** Returns the rank at {@code now} (epoch seconds); higher goes first. */
        long at(long now);
    }
}
