package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.BitSet;
import java.util.List;

/** What the plan asks about nodes: which would do, and which of those that are free to take. */
public interface Placement {
    /**
     * Returns the positions of the nodes that could run tasks of {@code requirement} when nothing else runs, whatever
     * their state; not to be written. The answer depends only on the node configuration, the policy and the request, not
     * on the number of tasks of a job's only requirement.
     */
    BitSet feasible(Job job, Requirement requirement);

    /**
     * Returns where the tasks of requirement {@code requirement} of {@code job}, or some of them, go when it starts at
     * {@code start}; an empty list when these nodes cannot hold them in the way they have to be placed.
     *
     * @param part the requirement, or the part of it to place
     * @param candidates nodes with what each can hold during the whole interval
     * @param start start, epoch seconds
     * @param immediate whether that is now
     */
    List<TaskShare> choose(
            Job job, int requirement, Requirement part, Candidates candidates, long start, boolean immediate);
}
