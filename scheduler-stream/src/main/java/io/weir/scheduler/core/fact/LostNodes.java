package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nodes that a job had and that its resource manager no longer gives it: they may have failed, which is known when the
 * nodes themselves are reported or the poll is complete.
 */
final class LostNodes {
    private final ClusterState state;

    LostNodes(ClusterState state) {
        this.state = state;
    }

    /**
     * Returns the nodes of a running job that its resource manager put back into the queue by itself: those that are down failed,
     * the others may have, which is known when the poll is complete. None when the failure was answered before.
     */
    FailedNodes ofRun(Job known) {
        FailedNodes failed = FailedNodes.NONE;
        boolean ran = known.runs();
        if (ran && known.pending() == null && !known.failedNodes().endsRun()) {
            for (NodeAllocation node : known.allocation()) {
                String id = node.getNodeId();
                Node lost = state.nodes.get(id);
                boolean answered =
                        known.failedNodes().find(id).map(FailedNode::action).isPresent();
                if (lost != null && !lost.isUnheardOf() && !answered) {
                    long since = isDown(id) ? state.domain.now() : Job.NONE;
                    failed = failed.with(new FailedNode(id, node.getProcs(), known.isMaster(id), since));
                }
            }
        }
        return failed;
    }

    /** Remembers nodes that a resource manager took from a running job unasked: they may have failed. */
    void remember(JobReport report, Job known) {
        if (state.domain.policy.nonstop() == null || known.pending() == CommandKind.REMOVE_NODES || !known.active()) {
            return;
        }
        Set<String> left = nodes(report.getAllocation());
        for (NodeAllocation node : known.allocation()) {
            if (!left.contains(node.getNodeId())) {
                state.nonstop.edit(known.id()).missing(node.getNodeId(), node.getProcs(), state.domain.now());
            }
        }
    }

    /**
     * Returns the failed nodes of a running job that now has {@code allocation}. A node that its resource manager took from
     * it may have failed: that is known when the node itself is reported.
     */
    static FailedNodes ofAllocation(Job known, List<NodeAllocation> allocation) {
        FailedNodes failed = known.failedNodes();
        if (allocation == known.allocation() || known.pending() == CommandKind.REMOVE_NODES) {
            return failed;
        }
        Set<String> left = nodes(allocation);
        for (NodeAllocation node : known.allocation()) {
            String id = node.getNodeId();
            if (!left.contains(id) && failed.find(id).isEmpty()) {
                failed = failed.with(new FailedNode(id, node.getProcs(), known.isMaster(id), Job.NONE));
            }
        }
        return failed;
    }

    /** After a complete poll nodes that jobs lost and that are up were taken from them for another reason. */
    void absolve(String connector) {
        for (Job job : List.copyOf(state.jobs.stricken())) {
            FailedNodes failed = job.failedNodes();
            FailedNodes left = failed.without(node -> !node.confirmed() && !isDown(node.nodeId()));
            if (!left.equals(failed) && connector.equals(job.request().connector())) {
                state.emit(job.edit().failed(left));
            }
        }
    }

    private boolean isDown(String id) {
        Node node = state.nodes.get(id);
        return node != null && node.state() == NodeState.DOWN;
    }

    /** Says whether a report has fewer of the job's nodes than Weir: it may be older than a command that added them. */
    static boolean isIncomplete(JobReport report, Job known) {
        Set<String> reported = nodes(report.getAllocation());
        Set<String> had = nodes(known.allocation());
        return reported.size() < had.size() && had.containsAll(reported);
    }

    private static Set<String> nodes(List<NodeAllocation> allocation) {
        Set<String> names = new TreeSet<>();
        allocation.forEach(node -> names.add(node.getNodeId()));
        return names;
    }
}
