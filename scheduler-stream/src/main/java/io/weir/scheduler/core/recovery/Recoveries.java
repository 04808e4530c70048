package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.QuarantineKind;

/**
 * What happens to recoveries between requests: nodes that fail or come back are noticed, steps go on when the resource
 * manager has answered, and what belongs to jobs that have ended is given up. Serves one iteration.
 */
public final class Recoveries {
    private final ClusterState state;
    private final LossDetector losses;
    private final RecoverySteps steps;
    private final KeptNodes kept;

    public Recoveries(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        losses = new LossDetector(state, outputs, now);
        steps = new RecoverySteps(state, outputs, losses, now);
        kept = new KeptNodes(state);
    }

    /** Notices what happened since the last iteration, and goes on with what is under way. */
    public void settle() {
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null) {
            if (!state.nonstop.ids().isEmpty()) {
                state.nonstop.ids().forEach(this::forget);
            }
            return;
        }
        losses.notice();
        for (NonstopJob record : state.nonstop.all()) {
            state.work.on(QuarantineKind.JOB, record.jobId());
            Job job = state.jobs.get(record.jobId());
            if (job == null || !job.active()) {
                forget(record.jobId());
            } else {
                losses.clear(job, record, settings);
                steps.goOn(job, record, settings);
            }
        }
        state.work.onNothing();
    }

    /** Notices which nodes failed, are expected to fail or came back since the last iteration. */
    public void notice() {
        losses.notice();
    }

    /** The job's policy gave it another node; the failed one is being ordered away. */
    public void exchanged(Job job, FailedNode failed, long command) {
        steps.exchanged(job, failed, command);
    }

    private void forget(String jobId) {
        kept.release(KeptNodes.awaitedBy(jobId));
        state.nonstop.remove(jobId);
    }
}
