package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillPolicy;
import io.weir.scheduler.core.policy.scheduler.BackfillSettings;

/**
 * Which jobs may start before others that wait ahead of them: not those with NOBF, nor, while room that came free is kept
 * for wide jobs, narrow ones.
 *
 * @param now the instant, epoch seconds
 * @param chunkEnd until when room that came free is kept for wide jobs, epoch seconds
 */
record Overtaking(SitePolicy policy, long now, long chunkEnd) {
    /** Returns whether {@code job} may start before one that waits ahead of it. */
    boolean allowed(Job job) {
        return !never(job) && !tooNarrow(job);
    }

    /** Returns whether its quality of service keeps {@code job} from starting before one that waits ahead of it, whenever that is. */
    boolean never(Job job) {
        String qos = job.qos();
        return qos != null && !policy.qos().isEmpty() && policy.qos(qos).flags().contains("NOBF");
    }

    /** Returns whether room is kept just now for wider jobs than {@code job}; where windows are filled none is. */
    private boolean tooNarrow(Job job) {
        BackfillSettings backfill = policy.backfill();
        boolean windows = backfill.policy() == BackfillPolicy.BESTFIT || backfill.policy() == BackfillPolicy.GREEDY;
        return !windows && now < chunkEnd && job.request().procs() < backfill.chunkProcs();
    }

    /** Returns from when on {@code job} may start if all that wait ahead of it have started at {@code ahead}, epoch seconds. */
    long from(Job job, long ahead) {
        if (allowed(job)) {
            return now;
        }
        return Math.max(now, never(job) ? ahead : Math.min(ahead, chunkEnd));
    }
}
