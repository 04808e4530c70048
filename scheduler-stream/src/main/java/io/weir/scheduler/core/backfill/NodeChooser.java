package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;

/** Names the nodes of one requirement of a job among those that could hold it. */
public interface NodeChooser {
    /**
     * Returns where the tasks of requirement {@code requirement} of {@code job} go when it starts at {@code start}, or an
     * empty list when these nodes cannot hold them in the way they have to be placed.
     *
     * @param candidates nodes with what each can hold during the whole interval
     * @param start start, epoch seconds
     * @param immediate whether that is now
     */
    List<TaskShare> choose(Job job, int requirement, Candidates candidates, long start, boolean immediate);
}
