package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.job.Impossibility;
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
        return state.planner.forbiddenBySets(job) ? Impossibility.NO_SET.words() : Impossibility.TOO_LARGE.words();
    }

    private String nowhere(Job job, Requirement requirement, Rejections rejections) {
        List<String> hosts = job.request().hosts(requirement).stream()
                .filter(host -> state.nodes.position(host) < 0)
                .toList();
        if (!hosts.isEmpty()) {
            return Impossibility.NO_HOST.words() + String.join(", ", hosts);
        }
        List<String> partitions = job.request().options().partitions();
        if (!partitions.isEmpty()
                && partitions.stream().noneMatch(feasibility.index().partitions()::containsKey)) {
            return Impossibility.NO_PARTITION.words() + String.join(", ", partitions);
        }
        RejectionReason last = RejectionReason.CPU;
        for (RejectionReason reason : RejectionReason.values()) {
            last = rejections.count(reason) > 0 ? reason : last;
        }
        return switch (last) {
            case CLASS ->
                Impossibility.NO_CLASS.words() + job.request().credentials().jobClass();
            case FEATURES -> Impossibility.NO_FEATURES.words();
            case NETWORK -> Impossibility.NO_NETWORK.words();
            case POLICY, RESERVED, SET, STATE -> Impossibility.NO_NODE.words();
            case CPU, DISK, MEMORY -> Impossibility.TOO_LARGE.words();
        };
    }
}
