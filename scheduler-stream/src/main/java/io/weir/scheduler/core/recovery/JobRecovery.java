package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.nonstop.LossKind;
import io.weir.scheduler.core.nonstop.NodeLoss;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.nonstop.PendingReplacement;
import io.weir.scheduler.core.nonstop.Recovery;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.language.value.PolicyTime;
import io.weir.scheduler.core.policy.nonstop.NonstopReader;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.request.form.AuthorisedRequest;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.JobState;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.RequestKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Requests that change a running job after a failure: a node is replaced or given up, the time limit is extended. Each is
 * one {@linkplain Recovery step} through the resource manager, and answered when that has answered.
 */
final class JobRecovery {
    /** Stands for a time limit of which the next poll tells. */
    private static final long UNKNOWN = -1;

    /** Nodes that are tried one after the other as a replacement before a request is answered. */
    private static final int MOST_TRIED = 3;

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final RecoveryAnswers answers;
    private final KeptNodes kept;
    private final long now;

    JobRecovery(ClusterState state, IterationOutputs outputs, RecoveryAnswers answers, long now) {
        this.state = state;
        this.outputs = outputs;
        this.answers = answers;
        this.now = now;
        kept = new KeptNodes(state);
    }

    /**
     * Begins a step, or answers with what it came to.
     *
     * @param present ids of the requests of this iteration
     * @return whether the request is answered; if not it has to be carried out again
     */
    boolean recover(AuthorisedRequest request, Job job, NonstopSettings settings, Set<String> present) {
        if (job.state() != JobState.RUNNING) {
            return answers.refuse(request, RecoveryError.EJOBNOTRUN, "job " + job.id() + " is " + job.state(), null);
        }
        if (state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return answers.refuse(request, RecoveryError.EJOBUPDATE, "MODE MONITOR carries out no commands", null);
        }
        NonstopJob record = state.nonstop.get(job.id());
        Recovery step = record == null ? null : record.step();
        if (record != null && step != null) {
            boolean goesOn = step.outcome() == Recovery.Outcome.OPEN || !record.isSettled(step);
            if (step.requestId().equals(request.id())) {
                return !goesOn && conclude(request, job, step, settings);
            } else if (goesOn || present.contains(step.requestId())) {
                return false;
            }
            state.nonstop.edit(job.id()).step(null);
        }
        if (request.kind() == RequestKind.EXTEND_JOB) {
            return extend(request, job, record);
        }
        if (isExchanged(job)) {
            return false;
        }
        String nodeId = request.form().text("node");
        NodeLoss loss = record == null ? null : record.loss(nodeId);
        boolean replace = request.kind() == RequestKind.REPLACE_JOB_NODE;
        if (record == null || loss == null || loss.kind() == LossKind.MISSING) {
            return notLost(request, job, record, nodeId, replace);
        } else if (loss.procs() == 0) {
            return answers.refuse(
                    request, RecoveryError.ENODENOCPU, "job " + job.id() + " had nothing of " + nodeId, nodeId);
        } else if (nodeId.equals(job.scriptNode())) {
            return answers.refuse(
                    request,
                    replace ? RecoveryError.ENODEREPLACEFAIL : RecoveryError.EJOBUPDATE,
                    "the script of job " + job.id() + " runs on node " + nodeId + ", which cannot be taken from it",
                    nodeId);
        } else if (job.pending() != null) {
            return false;
        }
        return replace ? replace(request, job, record, loss, settings, "") : drop(request, job, loss, settings);
    }

    /** Returns whether the job's policy is exchanging nodes by itself. */
    private static boolean isExchanged(Job job) {
        return job.failedNodes().exchanged().stream()
                .map(FailedNode::replacement)
                .anyMatch(node -> node != null && job.allocationOn(node) != null);
    }

    private boolean notLost(
            AuthorisedRequest request, Job job, @Nullable NonstopJob record, String nodeId, boolean replace) {
        String before = record == null ? null : record.replacementOf(nodeId);
        if (replace && before != null && job.allocationOn(nodeId) == null) {
            return done(request, job, nodeId, before);
        } else if (replace && record != null && before != null && record.isUnremoved(nodeId)) {
            return removeAgain(request, job, nodeId, before);
        } else if (state.nodes.get(nodeId) == null) {
            return answers.refuse(request, RecoveryError.ENOHOST, "there is no node '" + nodeId + "'", nodeId);
        } else if (job.allocationOn(nodeId) == null) {
            return answers.refuse(
                    request, RecoveryError.ENODENOTINJOB, "node " + nodeId + " is not job " + job.id() + "'s", nodeId);
        }
        return answers.refuse(
                request, RecoveryError.ENODENOTFAIL, "node " + nodeId + " is neither FAILED nor FAILING", nodeId);
    }

    /**
     * Orders a node in the place of a lost one, or says that there is none now.
     *
     * @param why why the resource manager refused the node that was tried last; empty where none was
     */
    private boolean replace(
            AuthorisedRequest request,
            Job job,
            NonstopJob record,
            NodeLoss loss,
            NonstopSettings settings,
            String why) {
        String before = record.replacementOf(loss.nodeId());
        if (before != null && record.isUnremoved(loss.nodeId())) {
            return removeAgain(request, job, loss.nodeId(), before);
        }
        PendingReplacement waits = record.pending();
        if (waits != null && !waits.nodeId().equals(loss.nodeId())) {
            return answers.refuse(
                    request,
                    RecoveryError.EREPLACEPENDING,
                    "a replacement of node " + waits.nodeId() + " is awaited",
                    waits.nodeId());
        }
        Set<String> tried = record.refusedFor(request.id());
        Set<String> refused = record.refusedOfLate(now);
        boolean sparesUsed = settings.mostSpares() > 0 && record.sparesTaken() >= settings.mostSpares();
        if (tried.size() < MOST_TRIED) {
            Optional<Found> found = found(new ReplacementSearch(state, job, loss, refused, now), !sparesUsed);
            if (found.isEmpty() && !refused.equals(tried)) {
                found = found(new ReplacementSearch(state, job, loss, tried, now), !sparesUsed);
            }
            if (found.isPresent()) {
                return merge(request, job, loss, found.get().node(), found.get().spare());
            }
        }
        if (sparesUsed) {
            return answers.refuse(
                    request,
                    RecoveryError.EMAXSPARECOUNT,
                    "job " + job.id() + " took " + record.sparesTaken() + " spares, which is all it may",
                    Integer.toString(settings.mostSpares()));
        }
        Optional<ReplacementSearch.Expected> later = new ReplacementSearch(state, job, loss, tried, now).expected();
        if (later.isPresent()) {
            EffectiveNode node = later.get().node();
            long time = later.get().time();
            kept.release(KeptNodes.awaitedBy(job.id()));
            kept.keep(
                    KeptNodes.awaitedBy(job.id()),
                    List.of(node),
                    time,
                    Math.max(time + 1, job.limitEnd()),
                    "in place of " + loss.nodeId() + " of job " + job.id());
            state.nonstop.edit(job.id()).expects(loss.nodeId(), node.id(), time, now, settings);
            return answers.refuse(
                    request,
                    RecoveryError.EREPLACELATER,
                    "a replacement of node " + loss.nodeId() + " is expected in " + (time - now) + " s",
                    Long.toString(time));
        }
        state.nonstop.edit(job.id()).waitsInVain(loss.nodeId(), settings);
        return answers.refuse(
                request,
                RecoveryError.ENODEREPLACEFAIL,
                "there is no node to take the place of " + loss.nodeId() + (why.isEmpty() ? "" : ": " + why),
                loss.nodeId());
    }

    /** A node that is there, and whether it is a hot spare. */
    private record Found(EffectiveNode node, boolean spare) {}

    private static Optional<Found> found(ReplacementSearch search, boolean sparesOpen) {
        Optional<Found> idle = search.idle().map(node -> new Found(node, false));
        return idle.isPresent() || !sparesOpen ? idle : search.spare().map(node -> new Found(node, true));
    }

    /** The node has been replaced, and is the job's still: it is removed, not replaced once more. */
    private boolean removeAgain(AuthorisedRequest request, Job job, String nodeId, String replacement) {
        NodeAllocation held = job.allocationOn(nodeId);
        if (held == null) {
            return done(request, job, nodeId, replacement);
        } else if (job.pending() != null) {
            return false;
        }
        return remove(
                request,
                job,
                held,
                "node " + nodeId + " is replaced by " + replacement,
                command -> Recovery.removingAgain(request.id(), nodeId, replacement, command));
    }

    private boolean merge(AuthorisedRequest request, Job job, NodeLoss loss, EffectiveNode node, boolean spare) {
        List<NodeAllocation> added = List.of(new NodeAllocation(node.id(), loss.procs()));
        String why = "node " + node.id() + " replaces " + loss.nodeId() + ", requested by " + request.principal();
        if (!outputs.resize(job, CommandKind.ADD_NODES, added, now, why)) {
            return answers.refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        kept.take(node.id());
        List<NodeAllocation> all = new ArrayList<>(job.allocation());
        all.addAll(added);
        state.emit(job.edit()
                .running(job.state(), job.start(), all)
                .placed(List.of())
                .commanded(CommandKind.ADD_NODES, outputs.lastNumber(job)));
        state.nonstop
                .edit(job.id())
                .step(Recovery.replacing(request.id(), loss.nodeId(), node.id(), spare, outputs.lastNumber(job)));
        return false;
    }

    private boolean drop(AuthorisedRequest request, Job job, NodeLoss loss, NonstopSettings settings) {
        NodeAllocation held = job.allocationOn(loss.nodeId());
        if (held == null) {
            new RecoverySteps(state, outputs, new LossDetector(state, outputs, now), now)
                    .dropped(job, loss.nodeId(), settings);
            return done(request, job, loss.nodeId(), null);
        } else if (job.allocation().size() == 1) {
            return answers.refuse(
                    request, RecoveryError.EJOBUPDATE, "job " + job.id() + " would be left without a node", null);
        }
        return remove(
                request,
                job,
                held,
                "node " + loss.nodeId() + " is given up, requested by " + request.principal(),
                command -> Recovery.dropping(request.id(), loss.nodeId(), command));
    }

    /** Has the resource manager take {@code held} from the job; {@code step} is what waits for the command of that number. */
    private boolean remove(
            AuthorisedRequest request, Job job, NodeAllocation held, String why, LongFunction<Recovery> step) {
        if (!outputs.resize(job, CommandKind.REMOVE_NODES, List.of(held), now, why)) {
            return answers.refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        long command = outputs.lastNumber(job);
        state.emit(job.edit().commanded(CommandKind.REMOVE_NODES, command));
        state.nonstop.edit(job.id()).step(step.apply(command));
        return false;
    }

    private boolean extend(AuthorisedRequest request, Job job, @Nullable NonstopJob record) {
        int given = number(request.form().text("minutes"));
        if (given < 0) {
            return answers.refuse(
                    request,
                    RecoveryError.ECMD,
                    "minutes is '" + request.form().text("minutes") + "'; a number from 0 to "
                            + NonstopReader.MOST_MINUTES + " is needed",
                    null);
        }
        if (record == null || (record.losses().isEmpty() && record.balance() == 0 && !record.hasHistory())) {
            return answers.refuse(
                    request,
                    RecoveryError.ENOINCREASETIMELIMIT,
                    "no node of job " + job.id() + " failed, so its time limit stays",
                    null);
        }
        long minutes = given == 0 ? record.balance() : given;
        if (minutes > record.balance()) {
            return answers.refuse(
                    request,
                    RecoveryError.ETIMEOVERLIMIT,
                    "job " + job.id() + " may be extended by " + record.balance() + " minutes, not by " + minutes,
                    Long.toString(record.balance()));
        }
        long limit = limitInForce(job, record);
        if (minutes == 0 || limit >= PolicyTime.LONGEST) {
            NonstopJob changed = state.nonstop.edit(job.id());
            changed.charge(minutes);
            return extended(request, job, minutes);
        } else if (job.pending() != null || limit == UNKNOWN) {
            return false;
        }
        long next = Math.min(PolicyTime.LONGEST, limit + minutes * 60);
        String why = "extended by " + minutes + " minutes, requested by " + request.principal();
        if (!outputs.limit(job, next, now, why)) {
            return answers.refuse(request, RecoveryError.EJOBUPDATE, "no connector answers for job " + job.id(), null);
        }
        state.emit(job.edit().commanded(CommandKind.MODIFY_JOB, outputs.lastNumber(job)));
        state.nonstop.edit(job.id()).step(Recovery.extending(request.id(), minutes, next, outputs.lastNumber(job)));
        return false;
    }

    /**
     * Returns the time limit of a job, seconds; {@link #UNKNOWN} where the next poll tells. It is the one that is reported,
     * unless a command gave it another of which no poll could tell yet.
     */
    private long limitInForce(Job job, NonstopJob record) {
        if (record.extendCommand() >= record.limitCommand()) {
            return record.extendedFrom() == 0 ? job.limitSeconds() : record.limitSeconds();
        } else if (state.domain.finishedCommand(job.request().connector()) >= record.limitCommand()) {
            return job.limitSeconds();
        }
        return record.changedLimitSeconds() == 0 ? UNKNOWN : record.changedLimitSeconds();
    }

    /**
     * Ends a step, and answers with what it came to; a replacement that the resource manager refused is followed by the next
     * node.
     */
    private boolean conclude(AuthorisedRequest request, Job job, Recovery step, NonstopSettings settings) {
        NonstopJob record = state.nonstop.edit(job.id());
        record.step(null);
        NodeLoss loss = record.loss(step.nodeId());
        if (loss != null
                && loss.kind() != LossKind.MISSING
                && step.kind() == Recovery.Kind.REPLACE
                && step.stage() == Recovery.Stage.ADDING
                && step.outcome() == Recovery.Outcome.FAILED
                && record.refusedFor(request.id()).contains(step.replacement())) {
            return job.pending() == null && replace(request, job, record, loss, settings, step.reason());
        }
        boolean done = step.outcome() == Recovery.Outcome.DONE;
        return switch (step.kind()) {
            case REPLACE ->
                (done || step.stage() == Recovery.Stage.REMOVING)
                        ? done(request, job, step.nodeId(), step.replacement(), done ? null : step.reason())
                        : answers.refuse(request, RecoveryError.ENODEREPLACEFAIL, step.reason(), step.nodeId());
            case DROP ->
                done
                        ? done(request, job, step.nodeId(), null)
                        : answers.refuse(request, RecoveryError.EJOBUPDATE, step.reason(), step.nodeId());
            case EXTEND ->
                done
                        ? extended(request, job, step.minutes())
                        : answers.refuse(request, RecoveryError.EJOBUPDATE, step.reason(), null);
        };
    }

    private boolean extended(AuthorisedRequest request, Job job, long minutes) {
        NonstopJob record = state.nonstop.get(job.id());
        return answers.grant(
                request,
                "time limit of job " + job.id() + " extended by " + minutes + " minutes",
                List.of(
                        new NameValue("minutes", Long.toString(minutes)),
                        new NameValue("balance", Long.toString(record == null ? 0 : record.balance()))));
    }

    private boolean done(AuthorisedRequest request, Job job, String nodeId, @Nullable String replacement) {
        return done(request, job, nodeId, replacement, null);
    }

    /**
     * Answers that a node was replaced or given up.
     *
     * @param kept why a replaced node is the job's still; null when it has left
     */
    private boolean done(
            AuthorisedRequest request, Job job, String nodeId, @Nullable String replacement, @Nullable String kept) {
        List<NodeAllocation> left = job.allocation().stream()
                .filter(node -> !node.getNodeId().equals(nodeId))
                .toList();
        List<NameValue> details = new ArrayList<>();
        details.add(new NameValue("node", nodeId));
        if (replacement != null) {
            details.add(new NameValue("replacement", replacement));
        }
        if (kept != null) {
            details.add(new NameValue("kept", answers.cut(kept)));
        }
        details.add(new NameValue("nodes", RecoveryText.nodes(left)));
        details.add(new NameValue("nodeCount", Integer.toString(left.size())));
        details.add(new NameValue("cpusPerNode", RecoveryText.procs(left)));
        String what =
                replacement == null ? "node " + nodeId + " dropped" : "node " + nodeId + " replaced by " + replacement;
        return answers.grant(request, kept == null ? what : what + ", but is the job's still: " + kept, details);
    }

    private static int number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(text) : -1;
        return number > NonstopReader.MOST_MINUTES ? -1 : number;
    }
}
