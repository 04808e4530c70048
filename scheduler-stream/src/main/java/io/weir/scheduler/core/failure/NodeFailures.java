package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Notices which running jobs lost nodes since the last iteration, and answers each as its policy says: all nodes that a job
 * lost together at once, and each loss once. Jobs are found by the nodes that changed, not by a walk over jobs. One
 * iteration's use.
 */
public final class NodeFailures {
    private final ClusterState state;
    private final long now;
    private final ResponseActions actions;
    private final NodeExchange exchange;
    private final ManagersRequeue requeued;

    /** Made when the first is needed: most iterations learn of no failure. */
    private @Nullable Map<FailureAction, FailureResponse> responses;

    public NodeFailures(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.now = now;
        actions = new ResponseActions(state, outputs, now);
        exchange = new NodeExchange(state, outputs, now);
        requeued = new ManagersRequeue(state, actions);
    }

    private Map<FailureAction, FailureResponse> makeResponses() {
        Map<FailureAction, FailureResponse> made = new EnumMap<>(FailureAction.class);
        FailureResponse cancel = new CancelResponse(actions);
        FailureResponse requeue = new RequeueResponse(actions, cancel);
        made.put(FailureAction.CANCEL, cancel);
        made.put(FailureAction.FAIL, new FailResponse(actions));
        made.put(FailureAction.HOLD, new HoldResponse(actions, requeue));
        made.put(
                FailureAction.IGNORE,
                new IgnoreResponse(
                        actions, exchange, state.domain.policy.failures().reallocate()));
        made.put(FailureAction.NOTIFY, new NotifyResponse(actions));
        made.put(FailureAction.REQUEUE, requeue);
        made.put(FailureAction.MIGRATE, new MigrateResponse(exchange, requeue));
        return made;
    }

    /** Notices what failed and what came back, and answers. */
    public void settle() {
        for (String id : stricken()) {
            Job job = state.jobs.get(id);
            if (job != null && !state.quarantine.has(QuarantineKind.JOB, id)) {
                state.work.on(QuarantineKind.JOB, id);
                if (job.active()) {
                    notice(job);
                    answer(id);
                } else {
                    emit(job, confirm(job.failedNodes()));
                    requeued.answer(Objects.requireNonNull(state.jobs.get(id)));
                }
            }
        }
    }

    /** Returns the jobs that may have lost nodes, or got some back, sorted. */
    private Collection<String> stricken() {
        boolean unplannable = state.nodes.sums().unplannable() > 0;
        if (!unplannable
                && state.jobs.stricken().isEmpty()
                && state.nodeChanges.unpublished().isEmpty()) {
            return List.of();
        }
        SortedSet<String> ids = new TreeSet<>();
        state.jobs.stricken().forEach(job -> ids.add(job.id()));
        for (String node : state.nodeChanges.unpublished()) {
            if (isDown(node)) {
                ids.addAll(state.nodes.sharesAt(state.nodes.position(node)).keySet());
            }
        }
        if (unplannable) {
            for (String id : state.jobChanges.unpublished()) {
                Job job = state.jobs.get(id);
                if (ManagersRequeue.concerns(job)) {
                    ids.add(id);
                } else if (job != null && job.shares().stream().anyMatch(share -> isDown(share.nodeId()))) {
                    ids.add(id);
                }
            }
        }
        return ids;
    }

    private void notice(Job job) {
        FailedNodes failed = job.failedNodes();
        FailedNodes next =
                failed.endsRun() ? failed : failed.without(node -> node.confirmed() && !isDown(node.nodeId()));
        next = next.without(node -> node.replacement() != null
                && job.shares().stream().noneMatch(share -> share.nodeId().equals(node.nodeId())));
        next = confirm(next);
        for (NodeShare share : job.shares()) {
            if (isDown(share.nodeId()) && next.find(share.nodeId()).isEmpty()) {
                next = next.with(
                        new FailedNode(share.nodeId(), job.procsOn(share.nodeId()), job.isMaster(share.nodeId()), now));
            }
        }
        emit(job, next);
    }

    /** Returns {@code failed} with those that are down now as seen to be. */
    private FailedNodes confirm(FailedNodes failed) {
        FailedNodes next = failed;
        for (FailedNode node : failed.list()) {
            if (!node.confirmed() && isDown(node.nodeId())) {
                next = next.with(node.confirmedAt(now));
            }
        }
        return next;
    }

    private void emit(Job job, FailedNodes next) {
        if (!next.equals(job.failedNodes())) {
            state.emit(job.edit().failed(next));
        }
    }

    private void answer(String id) {
        Job job = state.jobs.get(id);
        boolean idle = state.domain.policy.scheduler().mode() == Mode.MONITOR;
        if (idle || job == null || job.pending() != null || job.failedNodes().endsRun()) {
            return;
        }
        exchange.finish(job);
        job = state.jobs.get(id);
        if (job == null || job.pending() != null) {
            return;
        }
        long patience = state.domain.policy.failures().patienceSeconds();
        List<String> due = new ArrayList<>();
        boolean master = false;
        for (FailedNode node : job.failedNodes().list()) {
            boolean open = node.action() == null || MigrateResponse.refused(node);
            if (node.confirmed() && open && node.since() + patience <= now) {
                due.add(node.nodeId());
                master |= node.master();
            }
        }
        if (due.isEmpty()) {
            return;
        }
        EffectiveFailurePolicy effective = EffectiveFailurePolicy.of(job, partition(job), state.domain.policy);
        boolean spared = effective.policy().masterOnly() && !master;
        String policy = spared ? effective + ": ignored, not the master" : effective.toString();
        response(spared ? FailureAction.IGNORE : effective.policy().action()).answer(new StrickenJob(job, due, policy));
    }

    private FailureResponse response(FailureAction action) {
        Map<FailureAction, FailureResponse> made = responses;
        if (made == null) {
            made = makeResponses();
            responses = made;
        }
        return Objects.requireNonNull(made.get(action), "every action has an answer");
    }

    /** Returns the first instant at which patience with a failed node ends, {@link Job#NONE} for none. */
    public static long nextDue(ClusterState state, long now) {
        long patience = state.domain.policy.failures().patienceSeconds();
        long next = Job.NONE;
        for (Job job : state.jobs.stricken()) {
            for (FailedNode node : job.failedNodes().list()) {
                long due = node.since() + patience;
                if (node.confirmed() && node.action() == null && due > now) {
                    next = next == Job.NONE ? due : Math.min(next, due);
                }
            }
        }
        return next;
    }

    private @Nullable String partition(Job job) {
        for (NodeShare share : job.shares()) {
            EffectiveNode node = state.nodes.effective(share.nodeId());
            if (node != null) {
                return node.partition();
            }
        }
        return null;
    }

    /**
     * A node that was set aside because the scheduler fails on it looks down, and runs its jobs all the same; so does one whose
     * resource manager is not heard of.
     */
    private boolean isDown(String id) {
        Node node = state.nodes.get(id);
        return node != null
                && node.state() == NodeState.DOWN
                && !node.isUnheardOf()
                && !state.quarantine.has(QuarantineKind.NODE, id);
    }
}
