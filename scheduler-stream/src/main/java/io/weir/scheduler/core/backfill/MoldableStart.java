package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.placement.ClassLimits;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.policy.SitePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Gives a moldable job that starts as many nodes as are free for its whole limit. When it starts follows from the fewest nodes it
 * asks for; reservations, too, are made for these. Larger sizes are tried by bisection: a size that does not fit is taken to be too
 * large. Once a start was refused, it gets the fewest: it may have been too large for the resource manager.
 */
final class MoldableStart {
    private final ResourcePlan plan;
    private final SitePolicy policy;

    MoldableStart(ResourcePlan plan, SitePolicy policy) {
        this.plan = plan;
        this.policy = policy;
    }

    /**
     * Returns the widest slot in which {@code job} can start now; {@code fewest} when there is none wider.
     *
     * @param held what the plan holds for the job, which it may use again; null for nothing
     */
    Slot widest(Job job, Slot fewest, @Nullable Slot held) {
        if (!job.request().moldable() || fewest.shares().isEmpty() || job.startFailures() > 0) {
            return fewest;
        }
        if (held != null) {
            plan.giveBack(held);
        }
        Slot widest = search(job, fewest);
        if (held != null) {
            plan.take(held);
        }
        return widest;
    }

    private Slot search(Job job, Slot fewest) {
        int fits = (int) fewest.shares().stream()
                .mapToInt(share -> share.position())
                .distinct()
                .count();
        int tooMany = (int) Math.min(
                Integer.MAX_VALUE, 1L + job.request().first().nodeCount().most());
        int next = tooMany - 1;
        Slot widest = fewest;
        while (fits < next) {
            Slot slot = on(job, next);
            if (slot == null) {
                tooMany = next;
            } else {
                fits = next;
                widest = slot;
            }
            next = fits + (tooMany - fits) / 2;
        }
        return widest;
    }

    private @Nullable Slot on(Job job, int nodes) {
        Job molded = job.molded(nodes);
        return molded == null || ClassLimits.refusal(policy, molded.request()) != null ? null : plan.now(molded);
    }
}
