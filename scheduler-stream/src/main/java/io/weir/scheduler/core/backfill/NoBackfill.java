package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.plan.Slot;

/**
 * BACKFILLPOLICY NONE: strict priority order. The pass stops at the first job that cannot start, unless no state of the nodes
 * could ever hold that job, or it waits for a reservation that there is not.
 */
final class NoBackfill implements BackfillStrategy {
    @Override
    public void plan(PlanningPass pass) {
        JobQueue queue = pass.queue();
        int position = pass.firstUnseen();
        while (position < queue.size() && !pass.blocked()) {
            if (pass.startedEnough()) {
                pass.cutAt(position);
                return;
            }
            boolean mayPreempt = pass.rooms().concerns(queue, position, pass.now());
            Job job = queue.get(position);
            if (pass.consider(job) && !starts(pass, job)) {
                if (pass.slots().isRoom(job) || (mayPreempt && pass.rooms().makeRoom(pass, job) != null)) {
                    pass.block();
                } else if (!pass.plan().possible(job)) {
                    pass.actions().impossible(job);
                } else if (!pass.plan().lockedOut(job)) {
                    pass.block();
                }
            }
            position = PlanningPass.after(queue, position, job);
        }
        pass.allSeen();
    }

    /** Starts {@code job} if it fits; a job that waits for an answer keeps its nodes and blocks those behind it. */
    private static boolean starts(PlanningPass pass, Job job) {
        Slot held =
                pass.slots().isRoom(job) ? pass.slots().of(job) : pass.slots().retried(job);
        Slot slot = held != null ? held : pass.plan().now(job);
        if (slot == null
                || slot.start() > pass.now()
                || (held != null && !pass.plan().admits(job, held))) {
            return false;
        }
        if (held == null) {
            slot = pass.molding().widest(job, slot, null);
        }
        if (pass.actions().awaited(job, slot.shares(), held != null)) {
            if (held == null) {
                pass.plan().take(slot);
            }
            pass.block();
            return true;
        }
        return pass.start(job, slot, held == null, false);
    }

    @Override
    public boolean reserves() {
        return false;
    }

    @Override
    public boolean retains() {
        return false;
    }
}
