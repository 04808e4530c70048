package io.weir.scheduler.core.placement;

import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.List;

/**
 * The nodes of a job.
 *
 * @param nodes nodes with the processors taken of each, in index order
 * @param placements where the tasks go, task 0 first
 */
public record Allocation(List<NodeAllocation> nodes, List<TaskPlacement> placements) {
    public Allocation {
        nodes = List.copyOf(nodes);
        placements = List.copyOf(placements);
    }

    /** Returns the processors taken of all nodes. */
    public int procs() {
        return nodes.stream().mapToInt(NodeAllocation::getProcs).sum();
    }
}
