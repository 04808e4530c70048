package io.weir.scheduler.core.job;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Works out what a job holds of each of its nodes, from its tasks' places or, when these are not known, its processors. */
final class JobShares {
    private JobShares() {}

    static List<NodeShare> of(JobRequest request, List<NodeAllocation> allocation, List<TaskPlacement> placements) {
        if (request.requirements().size() == 1
                && request.first().resources().procsOnly()
                && request.first().demands().classes().isEmpty()) {
            return plain(request, allocation, placements);
        }
        List<NodeShare> shares = new ArrayList<>(allocation.size());
        Map<String, List<TaskPlacement>> byNode = new LinkedHashMap<>();
        for (TaskPlacement placement : placements) {
            byNode.computeIfAbsent(placement.getNodeId(), id -> new ArrayList<>(1))
                    .add(placement);
        }
        for (NodeAllocation node : allocation) {
            List<TaskPlacement> there = byNode.get(node.getNodeId());
            shares.add(share(request, node, there != null ? there : assumed(request, node)));
        }
        return shares;
    }

    /** Of jobs with like tasks that ask for processors alone. */
    private static List<NodeShare> plain(
            JobRequest request, List<NodeAllocation> allocation, List<TaskPlacement> placements) {
        List<NodeShare> aligned = aligned(allocation, placements);
        if (!aligned.isEmpty()) {
            return aligned;
        }
        Map<String, Integer> tasks = new LinkedHashMap<>();
        for (TaskPlacement placement : placements) {
            tasks.merge(placement.getNodeId(), placement.getTasks(), Integer::sum);
        }
        List<NodeShare> shares = new ArrayList<>(allocation.size());
        for (NodeAllocation node : allocation) {
            Integer placed = tasks.get(node.getNodeId());
            shares.add(new NodeShare(
                    node.getNodeId(),
                    placed != null ? placed : Math.max(1, node.getProcs() / request.procsPerTask()),
                    new Capacity(node.getProcs(), 0, 0, 0),
                    Collections.emptySortedMap()));
        }
        return shares;
    }

    /** Of jobs whose tasks are placed node by node, in the order of the nodes or from the last on; empty when they are not. */
    private static List<NodeShare> aligned(List<NodeAllocation> allocation, List<TaskPlacement> placements) {
        if (allocation.size() != placements.size()) {
            return List.of();
        }
        int nodes = allocation.size();
        boolean backwards = nodes > 1
                && allocation
                        .get(0)
                        .getNodeId()
                        .equals(placements.get(nodes - 1).getNodeId());
        List<NodeShare> shares = new ArrayList<>(nodes);
        Capacity held = null;
        for (int i = 0; i < nodes; i++) {
            NodeAllocation node = allocation.get(i);
            TaskPlacement placement = placements.get(backwards ? nodes - 1 - i : i);
            if (!node.getNodeId().equals(placement.getNodeId())) {
                return List.of();
            }
            if (held == null || held.procs() != node.getProcs()) {
                held = new Capacity(node.getProcs(), 0, 0, 0);
            }
            shares.add(new NodeShare(node.getNodeId(), placement.getTasks(), held, Collections.emptySortedMap()));
        }
        return shares;
    }

    /** Where the tasks are is not known: all are taken for tasks of the first requirement. */
    private static List<TaskPlacement> assumed(JobRequest request, NodeAllocation node) {
        return List.of(new TaskPlacement(node.getNodeId(), 0, Math.max(1, node.getProcs() / request.procsPerTask())));
    }

    private static NodeShare share(JobRequest request, NodeAllocation node, List<TaskPlacement> there) {
        int tasks = 0;
        long memory = 0;
        long swap = 0;
        long disk = 0;
        SortedMap<String, Long> gres = new TreeMap<>();
        SortedMap<String, Integer> ownClasses = new TreeMap<>();
        for (TaskPlacement placement : there) {
            if (placement.getRequirement() < request.requirements().size()) {
                Requirement requirement = request.requirements().get(placement.getRequirement());
                TaskResources each = requirement.resources();
                tasks += placement.getTasks();
                memory += each.memoryOf(placement.getTasks());
                swap += placement.getTasks() * each.swapMb();
                disk += placement.getTasks() * each.diskMb();
                each.gresOf(placement.getTasks()).forEach((name, count) -> gres.merge(name, count, Long::sum));
                if (!requirement.demands().classes().isEmpty()) {
                    String counted = request.jobClass(requirement);
                    ownClasses.merge(counted == null ? NodeShare.SEVERAL : counted, placement.getTasks(), Integer::sum);
                }
            }
        }
        return new NodeShare(
                node.getNodeId(), tasks, new Capacity(node.getProcs(), memory, swap, disk), gres, ownClasses);
    }
}
