package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.nonstop.LossKind;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeState;
import io.weir.schemas.NonstopEventKind;
import io.weir.schemas.QuarantineKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happens to recoveries between requests: nodes that fail or come back are noticed, steps go on when the resource
 * manager has answered, and what belongs to jobs that have ended is given up. Serves one iteration.
 */
public final class Recoveries {
    /** How long a node that left an allocation unasked may still be reported down, in seconds. */
    private static final long UNCLEAR_SECONDS = 300;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final KeptNodes kept;
    private final long now;

    public Recoveries(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
        kept = new KeptNodes(state);
    }

    /** Notices what happened since the last iteration, and goes on with what is under way. */
    public void settle() {
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null) {
            state.nonstop.ids().forEach(this::forget);
            return;
        }
        notice();
        for (NonstopJob record : state.nonstop.all()) {
            state.work.on(QuarantineKind.JOB, record.jobId());
            Job job = state.jobs.get(record.jobId());
            if (job == null || !job.active()) {
                forget(record.jobId());
            } else {
                clear(job, record, settings);
                hear(job, record);
                goOn(job, record, settings);
                await(job, record);
            }
        }
        state.work.onNothing();
    }

    /** Notices which nodes failed, are expected to fail or came back since the last iteration. */
    public void notice() {
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
            if (isRunning(job)) {
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
            if (unknown && node != null && isOut(node) && allocation(job, lost.nodeId()) != null) {
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

    private void forget(String jobId) {
        kept.release(KeptNodes.awaitedBy(jobId));
        state.nonstop.remove(jobId);
    }

    private void notice(Node node, List<String> losers, NonstopSettings settings) {
        if (isOut(node)) {
            int position = state.nodes.position(node.id());
            for (Map.Entry<String, NodeShare> held :
                    List.copyOf(state.nodes.sharesAt(position).entrySet())) {
                Job job = state.jobs.get(held.getKey());
                if (job != null && isRunning(job) && !isLeaving(job, node.id())) {
                    failed(job, node.id(), held.getValue().procs(), node.reason(), settings);
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
                && (step.outcome() == Recovery.Outcome.OPEN || isUnsettled(record, step));
    }

    /** A node with which nothing is the matter any more, and which is the job's, is no loss. */
    private void comeBack(NonstopJob record, Node node, NonstopSettings settings) {
        NodeLoss loss = record.loss(node.id());
        boolean well = node.state() != NodeState.DOWN && !isOut(node) && !node.isFailing();
        if (well && loss != null && loss.kind() != LossKind.MISSING && has(record.jobId(), node.id())) {
            stopWaiting(record, node.id());
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

    private static boolean isRunning(Job job) {
        return job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED;
    }

    /** Returns whether a node was replaced and is being taken out of the job. */
    private boolean isLeaving(Job job, String nodeId) {
        NonstopJob record = state.nonstop.get(job.id());
        return record != null && record.isUnremoved(nodeId) && job.pending() == CommandKind.REMOVE_NODES;
    }

    private boolean has(String jobId, String nodeId) {
        Job job = state.jobs.get(jobId);
        return job != null && allocation(job, nodeId) != null;
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
        for (Map.Entry<String, NodeShare> held : state.nodes.sharesAt(position).entrySet()) {
            Job job = state.jobs.get(held.getKey());
            NonstopJob known = state.nonstop.get(held.getKey());
            if (job != null
                    && isRunning(job)
                    && (known == null || known.loss(node.id()) == null)
                    && !isJoining(job, known, node.id())) {
                NonstopJob record = state.nonstop.edit(job.id());
                int procs = held.getValue().procs();
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

    /** Notices that a poll that began after an extension was carried out found another time limit than before. */
    private void hear(Job job, NonstopJob record) {
        if (record.extendedFrom() > 0
                && job.limitSeconds() != record.extendedFrom()
                && finishedCommand(state, job) >= record.extendCommand()) {
            state.nonstop.edit(job.id()).extensionReported();
        }
    }

    /** Returns the number up to which the commands of the job's connector were finished when its last poll began. */
    static long finishedCommand(ClusterState state, Job job) {
        String id = job.request().connector();
        ConnectorState connector = id == null ? null : state.domain.connectors.get(id);
        return connector == null ? 0 : connector.finishedCommand();
    }

    /** Settles why nodes left an allocation that nobody asked to leave. */
    private void clear(Job job, NonstopJob record, NonstopSettings settings) {
        for (String nodeId : record.unremoved()) {
            if (allocation(job, nodeId) == null) {
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
            } else if (allocation(job, loss.nodeId()) != null || loss.since() + UNCLEAR_SECONDS < now) {
                state.nonstop.edit(job.id()).forget(loss);
            }
        }
    }

    private void goOn(Job job, NonstopJob record, NonstopSettings settings) {
        Recovery step = record.step();
        if (step == null || step.outcome() == Recovery.Outcome.OPEN) {
            return;
        }
        if (isSettled(record, step)) {
            Node node = state.nodes.get(step.nodeId());
            if (step.outcome() == Recovery.Outcome.FAILED && node != null) {
                comeBack(record, node, settings);
            }
            return;
        }
        boolean done = step.outcome() == Recovery.Outcome.DONE;
        switch (step.kind()) {
            case REPLACE -> {
                if (done && step.stage() == Recovery.Stage.ADDING && allocation(job, step.nodeId()) != null) {
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

    /** Returns whether what a step came to has taken effect: a failure has none, a success removed the loss. */
    static boolean isUnsettled(NonstopJob record, Recovery step) {
        return !isSettled(record, step);
    }

    private static boolean isSettled(NonstopJob record, Recovery step) {
        return switch (step.kind()) {
            case REPLACE ->
                step.stage() == Recovery.Stage.ADDING
                        ? step.outcome() == Recovery.Outcome.FAILED
                                || step.replacement().equals(record.replacementOf(step.nodeId()))
                        : step.replacement().equals(record.replacementOf(step.nodeId()))
                                && record.loss(step.nodeId()) == null;
            case DROP -> step.outcome() == Recovery.Outcome.FAILED || record.loss(step.nodeId()) == null;
            case EXTEND ->
                step.outcome() == Recovery.Outcome.FAILED
                        || record.extendCommand() == step.command()
                        // Stored by a version that did not keep the number.
                        || (record.extendCommand() == 0 && record.limitSeconds() == step.limitSeconds());
        };
    }

    private void remove(Job job, String id, Recovery step) {
        NodeAllocation lost = allocation(job, step.nodeId());
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
            failing(joined);
        }
    }

    /** The job's policy gave it another node; the failed one is being ordered away. */
    public void exchanged(Job job, FailedNode failed, long command) {
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
        stopWaiting(record, failed.nodeId());
        NonstopJob changed = state.nonstop.edit(job.id());
        changed.replaced(done, settings);
        outputs.nonstop().replaced(job, changed, done, loss.procs());
    }

    /** Keeps no node any more in the place of one that needs none. */
    private void stopWaiting(NonstopJob record, String nodeId) {
        PendingReplacement waits = record.pending();
        if (waits != null && waits.nodeId().equals(nodeId)) {
            kept.release(KeptNodes.awaitedBy(record.jobId()));
        }
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
                        allocation(job, nodeId) == null
                                ? failed.without(node -> node.nodeId().equals(nodeId))
                                : failed.answeredBy(FailureAction.IGNORE, List.of(nodeId))));
    }

    /** A lost node is the job's no more. */
    void dropped(Job job, String nodeId, NonstopSettings settings) {
        leave(job, nodeId);
        settled(job.id(), nodeId);
        NonstopJob record = state.nonstop.edit(job.id());
        NodeLoss loss = record.loss(nodeId);
        stopWaiting(record, nodeId);
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
        if (latest == null || allocation(latest, nodeId) == null) {
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

    /** Returns what a job has of a node; null when it has nothing. */
    static @Nullable NodeAllocation allocation(Job job, String nodeId) {
        return job.allocation().stream()
                .filter(node -> node.getNodeId().equals(nodeId))
                .findFirst()
                .orElse(null);
    }
}
