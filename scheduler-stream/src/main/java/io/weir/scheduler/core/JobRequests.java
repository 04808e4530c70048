package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.Mode;
import io.weir.scheduler.state.PendingRequest;
import io.weir.schemas.CommandKind;
import io.weir.schemas.DecisionKind;
import io.weir.schemas.RequestKind;

/** Requests about a job. */
final class JobRequests {
    private final ClusterState state;
    private final Domain domain;
    private final Outbox outbox;
    private final long now;

    JobRequests(ClusterState state, Outbox outbox, long now) {
        this.state = state;
        this.domain = state.domain;
        this.outbox = outbox;
        this.now = now;
    }

    void carryOut(PendingRequest request) {
        Job job = state.jobs.get(request.getObjectId());
        if (job == null || job.finished()) {
            outbox.refused(request, job == null ? "no job " + request.getObjectId() : "job " + job.id() + " has ended");
            return;
        }
        switch (RequestKind.valueOf(request.getKind())) {
            case CANCEL_JOB -> command(request, job, CommandKind.CANCEL_JOB, DecisionKind.CANCEL);
            case REQUEUE_JOB -> {
                if (job.active()) {
                    command(request, job, CommandKind.REQUEUE_JOB, DecisionKind.REQUEUE);
                } else {
                    outbox.refused(request, "job " + job.id() + " is not running but " + job.state());
                }
            }
            case HOLD_JOB -> hold(request, job, true, DecisionKind.HOLD);
            case RELEASE_JOB -> hold(request, job, false, DecisionKind.RELEASE);
            default -> outbox.refused(request, request.getKind() + " is no request about a job");
        }
    }

    private void command(PendingRequest request, Job job, CommandKind kind, DecisionKind decision) {
        if (domain.policy.scheduler().mode() == Mode.MONITOR) {
            outbox.refused(request, "MODE MONITOR carries out no commands");
        } else if (job.pending() == kind) {
            outbox.accepted(request, "already on its way");
        } else if (outbox.command(job, kind, decision, now, "requested by " + request.getPrincipal())) {
            state.emit(job.edit().commanded(kind, outbox.lastNumber(job)));
            outbox.accepted(request, "sent to the resource manager");
        } else {
            outbox.refused(request, "no connector answers for job " + job.id());
        }
    }

    private void hold(PendingRequest request, Job job, boolean hold, DecisionKind decision) {
        if (job.held() != hold) {
            state.emit(job.edit().held(hold));
            outbox.decision(decision, job, Job.NONE, Job.NONE, "requested by " + request.getPrincipal());
        }
        outbox.accepted(request, hold ? "held" : "released");
    }
}
