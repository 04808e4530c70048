package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.AllocationPolicyKind;
import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Names the nodes for a job that may start now: nodes are taken in the order of the policy, each filled with as many
 * whole tasks as fit. Visits only nodes with something free.
 */
public final class NodeSelection {
    private NodeSelection() {}

    /**
     * Returns the nodes of {@code request} in index order, or an empty list when its tasks do not all fit. Nothing is
     * taken yet.
     */
    public static List<NodeAllocation> choose(NodeTable nodes, JobRequest request, AllocationPolicyKind order) {
        List<NodeAllocation> chosen = new ArrayList<>();
        int missing = request.tasks();
        int position =
                order == AllocationPolicyKind.FIRSTAVAILABLE ? nodes.nextOpen(0) : nodes.previousOpen(nodes.size() - 1);
        while (position >= 0 && missing > 0) {
            int tasks = Math.min(missing, nodes.freeAt(position) / request.procsPerTask());
            if (tasks > 0) {
                chosen.add(new NodeAllocation(nodes.at(position).id(), tasks * request.procsPerTask()));
                missing -= tasks;
            }
            position = order == AllocationPolicyKind.FIRSTAVAILABLE
                    ? nodes.nextOpen(position + 1)
                    : position == 0 ? -1 : nodes.previousOpen(position - 1);
        }
        if (missing > 0) {
            return List.of();
        }
        if (order == AllocationPolicyKind.LASTAVAILABLE) {
            Collections.reverse(chosen);
        }
        return List.copyOf(chosen);
    }
}
