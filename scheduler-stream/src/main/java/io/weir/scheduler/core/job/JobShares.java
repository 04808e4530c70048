package io.weir.scheduler.core.job;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Works out what a job holds of each of its nodes, from its tasks' places or, when these are not known, its processors. */
final class JobShares {
    private JobShares() {}

    static List<NodeShare> of(JobRequest request, List<NodeAllocation> allocation, List<TaskPlacement> placements) {
        List<NodeShare> shares = new ArrayList<>(allocation.size());
        for (NodeAllocation node : allocation) {
            shares.add(share(request, node, placements));
        }
        return shares;
    }

    private static NodeShare share(JobRequest request, NodeAllocation node, List<TaskPlacement> placements) {
        int tasks = 0;
        long memory = 0;
        long swap = 0;
        long disk = 0;
        SortedMap<String, Long> gres = new TreeMap<>();
        if (placements.isEmpty()) {
            tasks = Math.max(1, node.getProcs() / request.procsPerTask());
            TaskResources each = request.first().resources();
            memory = tasks * each.memoryMb();
            swap = tasks * each.swapMb();
            disk = tasks * each.diskMb();
            add(gres, each, tasks);
        } else {
            for (TaskPlacement placement : placements) {
                if (placement.getNodeId().equals(node.getNodeId())
                        && placement.getRequirement() < request.requirements().size()) {
                    TaskResources each = request.requirements()
                            .get(placement.getRequirement())
                            .resources();
                    tasks += placement.getTasks();
                    memory += placement.getTasks() * each.memoryMb();
                    swap += placement.getTasks() * each.swapMb();
                    disk += placement.getTasks() * each.diskMb();
                    add(gres, each, placement.getTasks());
                }
            }
        }
        return new NodeShare(node.getNodeId(), tasks, new Capacity(node.getProcs(), memory, swap, disk), gres);
    }

    private static void add(SortedMap<String, Long> gres, TaskResources each, int tasks) {
        each.gres().forEach((name, count) -> gres.merge(name, count * tasks, Long::sum));
    }
}
