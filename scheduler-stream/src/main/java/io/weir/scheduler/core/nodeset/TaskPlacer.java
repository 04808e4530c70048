package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.List;

/** Places tasks on nodes, whatever sets these belong to. */
public interface TaskPlacer {
    /**
     * Returns where {@code tasks} tasks go, or an empty list when they cannot all be placed as the job wants them.
     *
     * @param among nodes to choose from
     * @param tasks tasks to place, at least 1
     * @param nodes the part of the nodes asked for that these tasks are to use; 0 when none were asked for
     */
    List<TaskShare> place(Candidates among, int tasks, int nodes);
}
