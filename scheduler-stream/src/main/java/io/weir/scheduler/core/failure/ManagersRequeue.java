package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.policy.scheduler.Mode;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers for jobs that their resource manager put back into the queue by itself when their nodes failed, as Slurm does: a job
 * that by its policy is not to run again is cancelled, one that is to be held is held, and any other waits. One iteration's
 * use.
 */
final class ManagersRequeue {
    private final ClusterState state;
    private final ResponseActions actions;

    ManagersRequeue(ClusterState state, ResponseActions actions) {
        this.state = state;
        this.actions = actions;
    }

    /** Returns whether {@code job} waits because of failed nodes, which nobody answered yet. */
    static boolean concerns(@Nullable Job job) {
        return job != null
                && !job.active()
                && !job.finished()
                && job.pending() == null
                && job.failedNodes().list().stream().anyMatch(node -> node.confirmed() && node.action() == null);
    }

    void answer(Job job) {
        if (!concerns(job) || state.domain.policy.scheduler().mode() == Mode.MONITOR) {
            return;
        }
        List<FailedNode> failed =
                job.failedNodes().list().stream().filter(FailedNode::confirmed).toList();
        List<String> nodes = failed.stream().map(FailedNode::nodeId).toList();
        boolean master = failed.stream().anyMatch(FailedNode::master);
        EffectiveNode first = state.nodes.effective(nodes.get(0));
        EffectiveFailurePolicy effective =
                EffectiveFailurePolicy.of(job, first == null ? null : first.partition(), state.domain.policy);
        StrickenJob loss = new StrickenJob(job, nodes, effective + ": requeued by the resource manager");
        FailureAction action = effective.policy().masterOnly() && !master
                ? FailureAction.IGNORE
                : effective.policy().action();
        switch (action) {
            case CANCEL -> actions.end(loss, FailureAction.CANCEL, "jobcancel");
            case FAIL -> actions.end(loss, FailureAction.FAIL, "jobfail");
            case HOLD -> {
                if (ResponseActions.checkpointable(job)) {
                    waits(loss, job.edit().hold(Hold.BATCH));
                } else {
                    waitsOrEnds(loss);
                }
            }
            case REQUEUE, MIGRATE -> waitsOrEnds(loss);
            case NOTIFY -> {
                actions.tell(loss);
                waits(loss, job.edit());
            }
            case IGNORE -> waits(loss, job.edit());
        }
    }

    private void waitsOrEnds(StrickenJob loss) {
        if (ResponseActions.restartable(loss.job())) {
            waits(loss, loss.job().edit());
        } else {
            actions.end(loss, FailureAction.CANCEL, "jobcancel");
        }
    }

    private void waits(StrickenJob loss, JobEdit edit) {
        state.emit(edit.failed(FailedNodes.NONE).message(loss.text()));
        String id = loss.job().id();
        state.domain.notice(Severity.WARNING, "jobrequeue", "job", id, "job " + id + ": " + loss.text());
    }
}
