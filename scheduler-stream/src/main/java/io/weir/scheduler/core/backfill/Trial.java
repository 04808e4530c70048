package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import java.util.ArrayDeque;
import java.util.Deque;

/** Jobs that are put on a plan to see whether they fit together. */
final class Trial {
    private final ResourcePlan plan;
    private final Deque<Slot> taken = new ArrayDeque<>();
    private int count;

    Trial(ResourcePlan plan) {
        this.plan = plan;
    }

    /** Gives {@code job} a slot now beside those taken before; returns false when there is none. */
    boolean take(Job job) {
        count++;
        Slot slot = plan.now(job);
        if (slot == null) {
            return false;
        }
        plan.take(slot);
        taken.push(slot);
        return true;
    }

    /** Gives back all slots. */
    void undo() {
        while (!taken.isEmpty()) {
            plan.giveBack(taken.pop());
        }
    }

    /** Returns how many jobs were tried, the undone ones included. */
    int count() {
        return count;
    }
}
