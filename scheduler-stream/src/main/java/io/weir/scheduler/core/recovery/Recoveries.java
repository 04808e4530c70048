package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.nonstop.NonstopJob;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.policy.nonstop.NonstopSettings;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.QuarantineKind;
import org.jspecify.annotations.Nullable;

/**
 * What happens to recoveries between requests: nodes that fail or come back are noticed, steps go on when the resource
 * manager has answered, and what belongs to jobs that have ended is given up. Serves one iteration.
 */
public final class Recoveries {
    private final ClusterState state;
    private final IterationOutputs outputs;
    private final long now;

    /** Made when first needed: often the failure service is off. */
    private @Nullable Parts parts;

    /** Those who do a part of the work each. */
    private final class Parts {
        private final LossDetector losses = new LossDetector(state, outputs, now);
        private final RecoverySteps steps = new RecoverySteps(state, outputs, losses, now);
        private final KeptNodes kept = new KeptNodes(state);
    }

    public Recoveries(ClusterState state, IterationOutputs outputs, long now) {
        this.state = state;
        this.outputs = outputs;
        this.now = now;
    }

    private Parts parts() {
        Parts made = parts;
        if (made == null) {
            made = new Parts();
            parts = made;
        }
        return made;
    }

    /** Notices what happened since the last iteration, and goes on with what is under way. */
    public void settle() {
        NonstopSettings settings = state.domain.policy.nonstop();
        if (settings == null) {
            for (String jobId : state.nonstop.ids()) {
                forget(jobId);
            }
            return;
        }
        parts().losses.notice();
        for (NonstopJob record : state.nonstop.all()) {
            state.work.on(QuarantineKind.JOB, record.jobId());
            Job job = state.jobs.get(record.jobId());
            if (job == null || !job.active()) {
                forget(record.jobId());
            } else {
                parts().losses.clear(job, record, settings);
                parts().steps.goOn(job, record, settings);
            }
        }
        state.work.onNothing();
    }

    /** Notices which nodes failed, are expected to fail or came back since the last iteration. */
    public void notice() {
        if (state.domain.policy.nonstop() != null) {
            parts().losses.notice();
        }
    }

    /** The job's policy gave it another node; the failed one is being ordered away. */
    public void exchanged(Job job, FailedNode failed, long command) {
        parts().steps.exchanged(job, failed, command);
    }

    private void forget(String jobId) {
        parts().kept.release(KeptNodes.awaitedBy(jobId));
        state.nonstop.remove(jobId);
    }
}
