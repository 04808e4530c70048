package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.placement.Feasibility;
import io.weir.scheduler.core.placement.NodeMatch;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.placement.Rejections;
import io.weir.scheduler.core.state.ClusterState;
import java.util.List;

/** Says why no state of the nodes could ever hold a job. */
final class ImpossibleRequest {
    private static final String TOO_LARGE = "the request is larger than the nodes could ever hold";

    private final ClusterState state;
    private final Feasibility feasibility;

    ImpossibleRequest(ClusterState state) {
        this.state = state;
        feasibility = state.placement.feasibility();
    }

    /** Returns what is impossible about {@code job}: what no node has, or else that it asks for too much. */
    String why(Job job) {
        for (Requirement requirement : job.request().requirements()) {
            NodeMatch match = feasibility.match(job, requirement);
            if (match.nodes().isEmpty()) {
                return nowhere(job, requirement, match.rejections());
            }
            if (feasibility.tasksTogether(requirement) == 0) {
                return "Policy: the request has " + requirement.tasks() + " tasks, fewer than the nodes it is to use";
            }
        }
        return state.planner.forbiddenBySets(job) ? "Set: no node set could ever hold the request" : TOO_LARGE;
    }

    private String nowhere(Job job, Requirement requirement, Rejections rejections) {
        List<String> hosts = job.request().hosts(requirement).stream()
                .filter(host -> state.nodes.position(host) < 0)
                .toList();
        if (!hosts.isEmpty()) {
            return "Policy: there is no host " + String.join(", ", hosts);
        }
        List<String> partitions = job.request().options().partitions();
        if (!partitions.isEmpty()
                && partitions.stream().noneMatch(feasibility.index().partitions()::containsKey)) {
            return "Policy: there is no partition " + String.join(", ", partitions);
        }
        RejectionReason last = RejectionReason.CPU;
        for (RejectionReason reason : RejectionReason.values()) {
            last = rejections.count(reason) > 0 ? reason : last;
        }
        return switch (last) {
            case CLASS ->
                "Class: no node takes jobs of class "
                        + job.request().credentials().jobClass();
            case FEATURES ->
                "Features: no node has the features, generic resources, architecture and operating system asked for";
            case NETWORK -> "Network: no node has the network asked for";
            case POLICY, RESERVED, SET, STATE ->
                "Policy: hosts, partitions and limits leave no node that could ever hold a task";
            case CPU, DISK, MEMORY -> TOO_LARGE;
        };
    }
}
