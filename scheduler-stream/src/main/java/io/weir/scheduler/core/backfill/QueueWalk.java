package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import org.jspecify.annotations.Nullable;

/**
 * Walks the queue in priority order and stops at each job that may start or get a reservation. The strategy then starts it,
 * reserves for it, or does neither, and goes on with {@link #next}. Jobs behind BACKFILLDEPTH and jobs known not to fit are
 * counted as passed over without a stop, and so are jobs of several requirements in a pass in which it is not their turn.
 * The walk ends early where a search would be one too many for this iteration.
 */
final class QueueWalk {
    private final PlanningPass pass;
    private final ResourcePlan plan;
    private final JobQueue queue;

    /** Jobs passed over behind which no further job is tried: BACKFILLDEPTH. */
    private final int limit;

    /** Whether slots of earlier passes are in the plan. */
    private final boolean retaining;

    /** Whether jobs known not to fit are passed over without a look at them. */
    private final boolean skimming;

    private int position;

    /** Whether jobs are left for a later iteration. */
    private boolean cut;

    /** The job the walk has stopped at. */
    private @Nullable Job job;

    /** Whether it can still be over by its deadline. */
    private boolean due;

    /** Where its refused start is tried again. */
    private @Nullable Slot retry;

    /** Its slot in the plan, from an earlier pass or for a retry. */
    private @Nullable Slot held;

    /** Where it fits now. */
    private @Nullable Slot fits;

    QueueWalk(PlanningPass pass) {
        this.pass = pass;
        plan = pass.plan();
        queue = pass.queue();
        int depth = pass.policy().backfill().depth();
        limit = depth == 0 ? Integer.MAX_VALUE : depth;
        retaining = (pass.rules().retains() && !pass.slots().isEmpty())
                || pass.slots().retries();
        skimming = !pass.bypasses().counting();
        position = pass.firstUnseen();
    }

    /** Goes to the next job that may start or get a reservation; returns false when there is none left. */
    boolean next() {
        if (job != null) {
            position = PlanningPass.after(queue, position, job);
        }
        while (position < queue.size() && worthwhile()) {
            if (pass.spent() && pass.depths().open()) {
                cut = true;
                return false;
            }
            if (skimming && outOfReach()) {
                if (queue.columns().notBefore(queue.row(position)) <= pass.now()) {
                    pass.passOver();
                }
            } else if (stopAt(queue.get(position))) {
                return true;
            }
            position++;
        }
        return false;
    }

    private boolean worthwhile() {
        return !plan.exhausted() || pass.depths().open() || retaining || position <= pass.lastDue();
    }

    /** Returns whether the job here is known to get neither a start nor a reservation just now. */
    private boolean outOfReach() {
        return plan.outOfReach(queue.columns(), queue.row(position))
                && pass.depths().closed(queue, position);
    }

    private boolean stopAt(Job here) {
        if (!pass.consider(here)) {
            return false;
        }
        due = here.inTime(pass.now());
        retry = pass.slots().retried(here);
        held = retry != null ? retry : retaining || due ? pass.slots().of(here) : null;
        if (pass.freed() && due && held != null && retry == null && mayBeginEarlier(here, held)) {
            plan.giveBack(held);
            held = null;
        }
        if (held == null && pass.passedOver() > limit && !due) {
            pass.passOver();
            return false;
        }
        if (held == null
                && !due
                && pass.passedOver() > 0
                && (!pass.depths().open(pass.depths().group(here)) || plan.spent(here))
                && pass.turns().postpones(here)) {
            pass.passOver();
            return false;
        }
        job = here;
        fits = held == null ? plan.now(here) : held.start() <= pass.now() ? held : null;
        return true;
    }

    /** Returns whether a reservation that is kept for a deadline alone may now begin earlier. */
    private boolean mayBeginEarlier(Job here, Slot kept) {
        return kept.start() > pass.now() && !pass.rules().of(here).retains();
    }

    /** Notes in the pass how far the walk came. */
    void end() {
        if (cut) {
            pass.cutAt(position);
        } else {
            pass.allSeen();
        }
    }

    /** Returns the job the walk has stopped at. */
    Job job() {
        if (job == null) {
            throw new IllegalStateException("the walk has not begun");
        }
        return job;
    }

    /** Returns whether the job can still be over by its deadline. */
    boolean due() {
        return due;
    }

    /** Returns whether the job overtakes nobody, or holds a slot of its own. */
    boolean inTurn() {
        return held != null || pass.passedOver() == 0;
    }

    /** Returns whether the job may start before one that waits ahead of it: not with NOBF, nor where room is kept for wider jobs. */
    boolean mayOvertake() {
        return !neverAhead() && !tooNarrow();
    }

    /** Returns whether the job fits now and may be set aside to fill a window. */
    boolean mayFillWindow() {
        return fits != null && held == null && !due && !neverAhead();
    }

    /** Returns whether its quality of service keeps the job from starting before one that waits ahead of it. */
    private boolean neverAhead() {
        String qos = job().qos();
        return qos != null
                && !pass.policy().qos().isEmpty()
                && pass.policy().qos(qos).flags().contains("NOBF");
    }

    /** Returns whether room is kept just now for wider jobs than this one. */
    private boolean tooNarrow() {
        return pass.now() < pass.chunkEnd()
                && job().request().procs() < pass.policy().backfill().chunkProcs();
    }

    /**
     * Starts the job if it fits and {@code allowed} holds. One that waits for an answer keeps its nodes instead.
     * Returns whether either happened.
     */
    boolean start(boolean allowed) {
        Job starting = job();
        Slot slot = fits;
        if (slot == null || !allowed) {
            return false;
        }
        if (pass.actions().awaited(starting, held != null)) {
            if (held == null) {
                plan.take(slot);
            }
            return true;
        }
        return pass.start(starting, slot, held == null, pass.passedOver() > 0);
    }

    /**
     * Passes the job over and reserves its earliest slot if it has a right to one: in time for its deadline, by a place of
     * its group, or because it holds one already. Returns whether it has.
     */
    boolean reserve() {
        Job blocked = job();
        Slot own = held;
        pass.passOver();
        if (retry != null) {
            return true;
        }
        int group = pass.depths().group(blocked);
        boolean entitled = own != null || due || pass.depths().open(group);
        if (own != null && fits == null) {
            pass.rank(blocked, own, group);
        } else if (entitled) {
            if (own != null) {
                plan.giveBack(own);
            }
            boolean stays = own != null && pass.rules().of(blocked).retains();
            if (fits != null) {
                pass.holdBack();
            }
            reserveEarliest(blocked, fits != null ? pass.now() + 1 : pass.now(), group, stays);
        }
        pass.unsettledBy(blocked);
        pass.bypasses().passed(blocked, (entitled || retaining) && pass.slots().of(blocked) != null);
        return entitled;
    }

    private void reserveEarliest(Job blocked, long from, int group, boolean stays) {
        Slot slot = plan.earliest(blocked, from);
        pass.searched();
        if (slot == null) {
            pass.slots().remove(blocked);
            if (!plan.possible(blocked)) {
                pass.impossible(blocked);
            }
            return;
        }
        boolean inTime = blocked.inTime(slot.start());
        if (inTime || stays || pass.depths().open(group)) {
            pass.rank(blocked, slot, group);
            pass.slots().reserve(plan, blocked, slot, pass.actions());
        } else {
            pass.slots().remove(blocked);
        }
        if (!inTime && blocked.deadline() != Job.NONE) {
            pass.actions().late(blocked, slot.start());
        }
    }

    /** Reports that nothing could ever hold the job, or remembers that it does not fit, so that later walks need not look. */
    void dismiss() {
        Job dismissed = job();
        if (!plan.possible(dismissed)) {
            pass.impossible(dismissed);
        } else if (fits == null) {
            plan.fillColumns(dismissed, queue.columns(), queue.row(position));
        }
    }
}
