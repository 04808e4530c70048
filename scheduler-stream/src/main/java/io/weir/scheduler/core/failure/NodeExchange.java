package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.recovery.Recoveries;
import io.weir.scheduler.core.recovery.ReplacementSearch;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Exchanges failed nodes of a running job for idle ones like them: first all replacements are ordered at once, then, when the
 * resource manager has given them, the failed nodes are ordered away. What is under way is told by the job's failed nodes.
 * One iteration's use.
 */
final class NodeExchange {
    /** Nodes of one job that are exchanged at once; each costs a walk over the idle nodes. */
    private static final int MOST = 256;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    NodeExchange(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /**
     * Orders idle nodes in the place of all that failed; returns false when there are not enough, or none can be ordered, or the
     * job cannot be without one of those that failed.
     */
    boolean begin(StrickenJob loss, FailureAction action) {
        Job job = loss.job();
        if (job.state() != JobState.RUNNING || loss.nodes().size() > MOST) {
            return false;
        }
        String scriptNode = job.scriptNode();
        if (scriptNode != null && loss.nodes().contains(scriptNode)) {
            return false;
        }
        Map<String, String> replacements = new TreeMap<>();
        Set<String> leftOut = new TreeSet<>();
        loss.nodes()
                .forEach(failed -> job.failedNodes().find(failed).ifPresent(node -> leftOut.addAll(node.refused())));
        List<NodeAllocation> added = new ArrayList<>();
        for (String failed : loss.nodes()) {
            int procs = job.failedNodes().find(failed).map(FailedNode::procs).orElse(0);
            Optional<EffectiveNode> found = new ReplacementSearch(state, job, failed, procs, leftOut, now).idle();
            if (found.isEmpty()) {
                return false;
            }
            leftOut.add(found.get().id());
            replacements.put(failed, found.get().id());
            added.add(new NodeAllocation(found.get().id(), procs));
        }
        String why = loss.text() + ": exchanged for " + String.join(",", replacements.values());
        if (!outputs.resize(job, CommandKind.ADD_NODES, added, now, why)) {
            return false;
        }
        List<NodeAllocation> all = new ArrayList<>(job.allocation());
        all.addAll(added);
        state.emit(job.edit()
                .running(job.state(), job.start(), all)
                .placed(List.of())
                .failed(job.failedNodes().answeredBy(action, loss.nodes()).replacedBy(replacements))
                .commanded(CommandKind.ADD_NODES, outputs.lastNumber(job))
                .message(why));
        return true;
    }

    /** Orders away the failed nodes in whose place the job has others by now. */
    void finish(Job job) {
        List<NodeAllocation> leaving = new ArrayList<>();
        List<FailedNode> left = new ArrayList<>();
        for (FailedNode failed : job.failedNodes().exchanged()) {
            boolean there =
                    job.allocation().stream().anyMatch(node -> node.getNodeId().equals(failed.replacement()));
            for (NodeAllocation node : job.allocation()) {
                if (there && node.getNodeId().equals(failed.nodeId())) {
                    leaving.add(node);
                    left.add(failed);
                }
            }
        }
        if (leaving.isEmpty() || job.pending() != null || job.state() != JobState.RUNNING) {
            return;
        }
        if (outputs.resize(job, CommandKind.REMOVE_NODES, leaving, now, "failed nodes were replaced")) {
            long command = outputs.lastNumber(job);
            state.emit(job.edit().commanded(CommandKind.REMOVE_NODES, command));
            Recoveries recoveries = new Recoveries(state, outputs, now);
            left.forEach(failed -> recoveries.exchanged(job, failed, command));
        }
    }
}
