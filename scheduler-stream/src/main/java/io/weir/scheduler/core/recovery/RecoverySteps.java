package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NonstopEventKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Goes on with the recoveries of jobs: when the resource manager has answered, a step is followed by the next, or takes
 * effect. Serves one iteration.
 */
final class RecoverySteps {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final LossDetector losses;
    private final KeptNodes kept;
    private final long now;

    RecoverySteps(ClusterState state, IterationOutputs outputs, LossDetector losses, long now) {
        this.state = state;
        this.outputs = outputs;
        this.losses = losses;
        this.now = now;
        kept = new KeptNodes(state);
    }

    /** Goes on with what is under way for an active job. */
    void goOn(Job job, NonstopJob record, NonstopSettings settings) {
        hear(job, record);
        follow(job, record, settings);
        await(job, record);
    }

    /** Notices that a poll that began after an extension was carried out found another time limit than before. */
    private void hear(Job job, NonstopJob record) {
        if (record.extendedFrom() > 0
                && job.limitSeconds() != record.extendedFrom()
                && state.domain.finishedCommand(job.request().connector()) >= record.extendCommand()) {
            state.nonstop.edit(job.id()).extensionReported();
        }
    }

    private void follow(Job job, NonstopJob record, NonstopSettings settings) {
        Recovery step = record.step();
        if (step == null || step.outcome() == Recovery.Outcome.OPEN) {
            return;
        }
        if (record.isSettled(step)) {
            Node node = state.nodes.get(step.nodeId());
            if (step.outcome() == Recovery.Outcome.FAILED && node != null) {
                losses.comeBack(record, node, settings);
            }
            return;
        }
        boolean done = step.outcome() == Recovery.Outcome.DONE;
        switch (step.kind()) {
            case REPLACE -> {
                if (done && step.stage() == Recovery.Stage.ADDING && job.allocationOn(step.nodeId()) != null) {
                    remove(job, record.jobId(), step);
                } else if (done || step.stage() == Recovery.Stage.REMOVING) {
                    replaced(job, step, settings);
                }
            }
            case DROP -> {
                if (done) {
                    dropped(job, step.nodeId(), settings);
                }
            }
            case EXTEND -> {
                if (done) {
                    NonstopJob changed = state.nonstop.edit(job.id());
                    changed.extended(step.minutes(), step.limitSeconds(), step.command(), job.limitSeconds());
                    outputs.nonstop().extended(job, changed, step.minutes());
                }
            }
        }
    }

    private void remove(Job job, String id, Recovery step) {
        NodeAllocation lost = job.allocationOn(step.nodeId());
        if (lost == null || job.pending() != null) {
            return;
        }
        String why = "node " + step.nodeId() + " is replaced by " + step.replacement();
        if (outputs.resize(job, CommandKind.REMOVE_NODES, List.of(lost), now, why)) {
            state.emit(job.edit().commanded(CommandKind.REMOVE_NODES, outputs.lastNumber(job)));
            state.nonstop.edit(id).step(step.removing(outputs.lastNumber(job)));
        }
    }

    private void replaced(Job job, Recovery step, NonstopSettings settings) {
        if (step.outcome() == Recovery.Outcome.DONE) {
            leave(job, step.nodeId());
        }
        settled(job.id(), step.nodeId());
        NonstopJob record = state.nonstop.edit(job.id());
        NodeLoss loss = record.loss(step.nodeId());
        boolean told = record.isUnremoved(step.nodeId());
        kept.release(KeptNodes.awaitedBy(job.id()));
        record.replaced(step, settings);
        if (!told) {
            outputs.nonstop().replaced(job, record, step, loss == null ? 0 : loss.procs());
        }
        Node joined = state.nodes.get(step.replacement());
        if (joined != null && joined.isFailing()) {
            losses.failing(joined);
        }
    }

    /** The job's policy gave it another node; the failed one is being ordered away. */
    void exchanged(Job job, FailedNode failed, long command) {
        String replacement = failed.replacement();
        NonstopJob record = state.nonstop.get(job.id());
        NodeLoss loss = record == null ? null : record.loss(failed.nodeId());
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null || record == null || loss == null || replacement == null) {
            return;
        }
        // Until the node has left it counts as one whose removal is still to be done.
        Recovery done = Recovery.removingAgain("", failed.nodeId(), replacement, command)
                .answered(false, "");
        kept.stopAwaiting(record, failed.nodeId());
        NonstopJob changed = state.nonstop.edit(job.id());
        changed.replaced(done, settings);
        outputs.nonstop().replaced(job, changed, done, loss.procs());
    }

    /** A failed node was dealt with here, so the job's policy has nothing to answer for it any more. */
    private void settled(String jobId, String nodeId) {
        Job job = state.jobs.get(jobId);
        if (job == null || job.failedNodes().find(nodeId).isEmpty()) {
            return;
        }
        FailedNodes failed = job.failedNodes();
        state.emit(job.edit()
                .failed(
                        job.allocationOn(nodeId) == null
                                ? failed.without(node -> node.nodeId().equals(nodeId))
                                : failed.answeredBy(FailureAction.IGNORE, List.of(nodeId))));
    }

    /** A lost node is the job's no more. */
    void dropped(Job job, String nodeId, NonstopSettings settings) {
        leave(job, nodeId);
        settled(job.id(), nodeId);
        NonstopJob record = state.nonstop.edit(job.id());
        NodeLoss loss = record.loss(nodeId);
        kept.stopAwaiting(record, nodeId);
        record.dropped(nodeId, settings);
        outputs.nonstop()
                .happened(
                        NonstopEventKind.NODE_DROPPED,
                        job,
                        record,
                        nodeId,
                        null,
                        loss == null ? 0 : loss.procs(),
                        null);
    }

    /** Takes out of a job's allocation what the resource manager said it took out. */
    private void leave(Job job, String nodeId) {
        Job latest = state.jobs.get(job.id());
        if (latest == null || latest.allocationOn(nodeId) == null) {
            return;
        }
        List<NodeAllocation> rest = new ArrayList<>(latest.allocation());
        rest.removeIf(node -> node.getNodeId().equals(nodeId));
        state.emit(latest.edit()
                .running(latest.state(), latest.start(), List.copyOf(rest))
                .placed(latest.placements().stream()
                        .filter(task -> !task.getNodeId().equals(nodeId))
                        .toList()));
    }

    /** Tells of a replacement that was awaited and is there. */
    private void await(Job job, NonstopJob record) {
        PendingReplacement waits = record.pending();
        NodeLoss loss = waits == null ? null : record.loss(waits.nodeId());
        if (waits == null || waits.announced() || loss == null || record.step() != null) {
            return;
        }
        if (new ReadyNodes(state).isReady(state.nodes.position(waits.replacement()))) {
            NonstopJob changed = state.nonstop.edit(job.id());
            changed.toldOfReplacement();
            outputs.nonstop()
                    .happened(
                            NonstopEventKind.NODE_REPLACE,
                            job,
                            changed,
                            waits.nodeId(),
                            waits.replacement(),
                            loss.procs(),
                            "the replacement can be asked for");
        }
    }
}
