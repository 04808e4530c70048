package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.nonstop.LossKind;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.QuarantineKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Notices which nodes of running jobs failed, are expected to fail, or came back. Serves one iteration. */
final class LossDetector {
    /** How long a node that left an allocation unasked may still be reported down, in seconds. */
    private static final long UNCLEAR_SECONDS = 300;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final KeptNodes kept;
    private final long now;

    LossDetector(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
        kept = new KeptNodes(state);
    }

    /** Notices which nodes failed, are expected to fail or came back since the last iteration. */
    void notice() {
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null) {
            return;
        }
        SortedMap<String, List<String>> jobsByLoss = jobsByLoss();
        for (String id : state.nodeChanges.unpublished()) {
            Node node = state.nodes.get(id);
            if (node != null) {
                state.work.on(QuarantineKind.NODE, id);
                notice(node, jobsByLoss.getOrDefault(id, List.of()), settings);
            }
        }
        for (Job job : state.jobs.stricken()) {
            if (job.runs()) {
                state.work.on(QuarantineKind.JOB, job.id());
                noticeLate(job, settings);
            }
        }
        state.work.onNothing();
    }

    /** Notices what failed before the job was seen to run, or before the service was on. */
    private void noticeLate(Job job, NonstopSettings settings) {
        NonstopJob known = state.nonstop.get(job.id());
        for (FailedNode lost : job.failedNodes().list()) {
            Node node = state.nodes.get(lost.nodeId());
            boolean unknown = known == null || (known.loss(lost.nodeId()) == null && !known.isUnremoved(lost.nodeId()));
            if (unknown && node != null && isOut(node) && job.allocationOn(lost.nodeId()) != null) {
                failed(job, lost.nodeId(), lost.procs(), node.reason(), settings);
            }
        }
    }

    /** Returns the jobs that have a loss noted, sorted, by the node that they lost. */
    private SortedMap<String, List<String>> jobsByLoss() {
        SortedMap<String, List<String>> jobs = new TreeMap<>();
        for (NonstopJob record : state.nonstop.all()) {
            for (NodeLoss loss : record.noticed()) {
                jobs.computeIfAbsent(loss.nodeId(), node -> new ArrayList<>()).add(record.jobId());
            }
        }
        return jobs;
    }

    private void notice(Node node, List<String> losers, NonstopSettings settings) {
        if (isOut(node)) {
            int position = state.nodes.position(node.id());
            for (String jobId : List.copyOf(state.nodes.sharesAt(position).keySet())) {
                Job job = state.jobs.get(jobId);
                if (job != null && job.runs() && !isLeaving(job, node.id())) {
                    failed(job, node.id(), job.procsOn(node.id()), node.reason(), settings);
                }
            }
        } else if (node.isFailing()) {
            failing(node);
        } else {
            for (String jobId : losers) {
                NonstopJob record = state.nonstop.get(jobId);
                if (record != null && !isUnderWay(record, node.id())) {
                    comeBack(record, node, settings);
                }
            }
        }
    }

    /** Returns whether a node is being replaced or given up: whatever becomes of it meanwhile, that goes on. */
    private static boolean isUnderWay(NonstopJob record, String nodeId) {
        Recovery step = record.step();
        return step != null
                && step.nodeId().equals(nodeId)
                && (step.outcome() == Recovery.Outcome.OPEN || !record.isSettled(step));
    }

    /** A node with which nothing is the matter any more, and which is the job's, is no loss. */
    void comeBack(NonstopJob record, Node node, NonstopSettings settings) {
        NodeLoss loss = record.loss(node.id());
        boolean well = node.state() != NodeState.DOWN && !isOut(node) && !node.isFailing();
        if (well && loss != null && loss.kind() != LossKind.MISSING && has(record.jobId(), node.id())) {
            kept.stopAwaiting(record, node.id());
            state.nonstop.edit(record.jobId()).recovered(loss, settings);
        }
    }

    /**
     * Returns whether a node failed. One that was set aside because the scheduler fails on it, or whose resource manager is
     * not heard of, looks down and runs its jobs all the same.
     */
    private boolean isOut(Node node) {
        boolean down = node.state() == NodeState.DOWN
                && !node.isUnheardOf()
                && !state.quarantine.has(QuarantineKind.NODE, node.id());
        return down || node.state() == NodeState.REMOVED;
    }

    /** Returns whether a node was replaced and is being taken out of the job. */
    private boolean isLeaving(Job job, String nodeId) {
        NonstopJob record = state.nonstop.get(job.id());
        return record != null && record.isUnremoved(nodeId) && job.pending() == CommandKind.REMOVE_NODES;
    }

    private boolean has(String jobId, String nodeId) {
        Job job = state.jobs.get(jobId);
        return job != null && job.allocationOn(nodeId) != null;
    }

    private void failed(Job job, String nodeId, int procs, @Nullable String why, NonstopSettings settings) {
        NonstopJob known = state.nonstop.get(job.id());
        NodeLoss before = known == null ? null : known.loss(nodeId);
        if ((before != null && before.kind() == LossKind.FAILED) || isJoining(job, known, nodeId)) {
            return;
        }
        NonstopJob record = state.nonstop.edit(job.id());
        record.failed(nodeId, procs, now, settings);
        outputs.nonstop().happened(NonstopEventKind.NODE_FAILED, job, record, nodeId, null, procs, why);
    }

    /** Returns whether a node is being added to a job: what it is to the job is known when the resource manager has answered. */
    private static boolean isJoining(Job job, @Nullable NonstopJob record, String nodeId) {
        Recovery step = record == null ? null : record.step();
        boolean asked = step != null
                && step.outcome() == Recovery.Outcome.OPEN
                && step.stage() == Recovery.Stage.ADDING
                && step.replacement().equals(nodeId);
        return job.pending() == CommandKind.ADD_NODES
                && (asked
                        || job.failedNodes().exchanged().stream()
                                .anyMatch(failed -> nodeId.equals(failed.replacement())));
    }

    /** Notices on behalf of every job on it that a node is expected to fail. */
    void failing(Node node) {
        int position = state.nodes.position(node.id());
        for (String jobId : state.nodes.sharesAt(position).keySet()) {
            Job job = state.jobs.get(jobId);
            NonstopJob known = state.nonstop.get(jobId);
            if (job != null
                    && job.runs()
                    && (known == null || known.loss(node.id()) == null)
                    && !isJoining(job, known, node.id())) {
                NonstopJob record = state.nonstop.edit(job.id());
                int procs = job.procsOn(node.id());
                record.failing(node.id(), procs, now);
                outputs.nonstop()
                        .happened(
                                NonstopEventKind.NODE_FAILING,
                                job,
                                record,
                                node.id(),
                                null,
                                procs,
                                node.failingReason());
            }
        }
    }

    /** Settles why nodes left an allocation that nobody asked to leave. */
    void clear(Job job, NonstopJob record, NonstopSettings settings) {
        for (String nodeId : record.unremoved()) {
            if (job.allocationOn(nodeId) == null) {
                state.nonstop.edit(job.id()).removed(nodeId);
            }
        }
        for (NodeLoss loss : record.noticed()) {
            if (loss.kind() != LossKind.MISSING) {
                continue;
            }
            Node node = state.nodes.get(loss.nodeId());
            if (node == null || isOut(node)) {
                failed(job, loss.nodeId(), loss.procs(), node == null ? null : node.reason(), settings);
            } else if (job.allocationOn(loss.nodeId()) != null || loss.since() + UNCLEAR_SECONDS < now) {
                state.nonstop.edit(job.id()).forget(loss);
            }
        }
    }
}
