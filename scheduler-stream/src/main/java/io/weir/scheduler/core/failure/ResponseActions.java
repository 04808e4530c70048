package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.Severity;
import java.util.List;

/** What the ways to answer a failure are made of. One iteration's use. */
final class ResponseActions {
    /** Name of the event that tells people about a job that lost a node. */
    private static final String NODE_FAILURE = "jobnodefailure";

    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    ResponseActions(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    /** The job goes on; {@code action} is what it was answered with. */
    void goOn(StrickenJob loss, FailureAction action) {
        Job job = loss.job();
        state.emit(job.edit()
                .failed(job.failedNodes().answeredBy(action, loss.nodes()))
                .message(loss.text()));
    }

    /** Tells administrator and owner. */
    void tell(StrickenJob loss) {
        Job job = loss.job();
        String text = "job " + job.id() + ": " + loss.text();
        String owner = job.request().credentials().user();
        outputs.notices().tell(Severity.WARNING, NODE_FAILURE, "job", job.id(), text, List.of());
        if (owner != null) {
            String address = state.domain.policy.user(owner).email();
            outputs.notices()
                    .tell(
                            Severity.WARNING,
                            NODE_FAILURE,
                            "job",
                            job.id(),
                            text,
                            List.of(address == null ? owner : address));
        }
    }

    /** Orders the end of the job, which gives up its nodes at once, the failed ones apart. */
    void end(StrickenJob loss, FailureAction action, String event) {
        leave(loss, action, CommandKind.CANCEL_JOB, DecisionKind.CANCEL, event);
    }

    /** Orders the job back into the queue; it gives up its nodes at once, the failed ones apart. */
    void requeue(StrickenJob loss, FailureAction action) {
        leave(loss, action, CommandKind.REQUEUE_JOB, DecisionKind.REQUEUE, "jobrequeue");
    }

    private void leave(
            StrickenJob loss, FailureAction action, CommandKind command, DecisionKind decision, String event) {
        Job job = loss.job();
        if (!outputs.command(job, command, decision, now, loss.text())) {
            return;
        }
        JobEdit edit = job.edit()
                .commanded(command, outputs.lastNumber(job))
                .failed(job.failedNodes().answeredBy(action, loss.nodes()))
                .message(loss.text());
        if (action == FailureAction.HOLD) {
            edit.hold(Hold.BATCH);
        }
        state.emit(edit);
        loss.nodes().forEach(node -> new Cleanups(state, now).await(node, job));
        state.domain.notice(Severity.WARNING, event, "job", job.id(), "job " + job.id() + ": " + loss.text());
    }

    /** Returns whether the job may be started again: unless it says that it may not. */
    static boolean restartable(Job job) {
        return !Boolean.FALSE.equals(failure(job).restartable());
    }

    /** Returns whether the job can be resumed from a checkpoint: only if it says so. */
    static boolean checkpointable(Job job) {
        return Boolean.TRUE.equals(failure(job).checkpointable());
    }

    private static JobExtension.Failure failure(Job job) {
        return job.request().extension().failure();
    }
}
