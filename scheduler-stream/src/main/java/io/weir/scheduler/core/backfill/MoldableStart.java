package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.ClassLimits;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.Arrays;
import java.util.function.IntPredicate;
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
        Slot[] widest = {fewest};
        bisect(nodes(fewest), job.request().first().nodeCount().most(), size -> {
            Slot slot = on(job, size);
            if (slot != null) {
                widest[0] = slot;
            }
            return slot != null;
        });
        return widest[0];
    }

    /** Returns how many sizes beside the fewest were tried for {@code job}, which holds its nodes by now; 0 when it is not moldable. */
    static int sizesTried(Job job, NodeTable table) {
        if (!job.request().moldable() || job.startFailures() > 0) {
            return 0;
        }
        NodeCount count = job.request().first().nodeCount();
        int taken = (int) Arrays.stream(job.positions(table)).distinct().count();
        return bisect(Math.min(taken, Math.max(1, count.least())), count.most(), size -> size <= taken);
    }

    /**
     * Tries sizes of more than {@code fits} nodes and no more than {@code most}, the largest first, until the largest that fits is
     * known, and returns how many it tried.
     */
    private static int bisect(int fits, int most, IntPredicate trial) {
        int largest = fits;
        int tooMany = (int) Math.min(Integer.MAX_VALUE, 1L + most);
        int next = tooMany - 1;
        int tried = 0;
        while (largest < next) {
            if (trial.test(next)) {
                largest = next;
            } else {
                tooMany = next;
            }
            tried++;
            next = largest + (tooMany - largest) / 2;
        }
        return tried;
    }

    private static int nodes(Slot slot) {
        return (int) slot.shares().stream()
                .mapToInt(share -> share.position())
                .distinct()
                .count();
    }

    private @Nullable Slot on(Job job, int nodes) {
        Job molded = job.molded(nodes);
        return molded == null || ClassLimits.refusal(policy, molded.request()) != null ? null : plan.now(molded);
    }
}
