package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import org.jspecify.annotations.Nullable;

/**
 * Walks the queue in priority order and stops at each job that may start or get a reservation. The strategy then starts it,
 * reserves for it, or does neither, and goes on with {@link #next}. Jobs behind BACKFILLDEPTH and jobs known not to fit are
 * counted as passed over without a stop, and so are jobs of several requirements in a pass in which it is not their turn.
 * The walk ends early where a search would be one too many for this iteration, and once as many jobs started as may.
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

    /** Whether others may be preempted for it, and it is its turn. */
    private boolean mayPreempt;

    /** Whether it can still be over by its deadline. */
    private boolean due;

    /** Where its refused start is tried again. */
    private @Nullable Slot retry;

    /** Its slot in the plan, from an earlier pass or for a retry. */
    private @Nullable Slot held;

    /** Whether it came with such a slot, though that may have been given back since. */
    private boolean kept;

    /** Where it fits now, once that is {@link #searched}. */
    private @Nullable Slot fits;

    /** Whether it was looked where the job fits now. */
    private boolean searched;

    QueueWalk(PlanningPass pass) {
        this.pass = pass;
        plan = pass.plan();
        queue = pass.queue();
        int depth = pass.policy().backfill().depth();
        limit = depth == 0 ? Integer.MAX_VALUE : depth;
        retaining = (pass.rules().retains() && !pass.slots().isEmpty())
                || pass.slots().retries()
                || pass.slots().anyRoom();
        skimming = !pass.bypasses().counting();
        position = pass.firstUnseen();
    }

    /** Goes to the next job that may start or get a reservation; returns false when there is none left. */
    boolean next() {
        if (job != null) {
            position = PlanningPass.after(queue, position, job);
        }
        while (position < queue.size() && worthwhile()) {
            if (pass.startedEnough() || (pass.spent() && pass.depths().open())) {
                cut = true;
                return false;
            }
            pass.closeIfFull(position);
            mayPreempt = pass.rooms().concerns(queue, position, pass.now());
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
        return !plan.exhausted()
                || pass.depths().open()
                || retaining
                || position <= pass.lastDue()
                || pass.rooms().open();
    }

    /** Returns whether the job here is known to get neither a start nor a reservation just now. */
    private boolean outOfReach() {
        return plan.outOfReach(queue.columns(), queue.row(position))
                && pass.depths().closed(queue, position)
                && !mayHaveDeadlinePlace()
                && !mayPreempt;
    }

    private boolean mayHaveDeadlinePlace() {
        return position <= pass.lastDue()
                && pass.slots().deadlines().open()
                && queue.columns().due(queue.row(position));
    }

    private boolean stopAt(Job here) {
        if (!pass.consider(here)) {
            return false;
        }
        due = here.inTime(pass.now()) && pass.slots().deadlines().available(here);
        retry = pass.slots().retried(here);
        held = retry != null ? retry : retaining || due ? pass.slots().of(here) : null;
        if (pass.freed() && due && held != null && retry == null && mayBeginEarlier(here, held)) {
            plan.giveBack(held);
            held = null;
        }
        if (held == null && pass.passedOver() > limit && !due && !mayPreempt) {
            passOver(here);
            return false;
        }
        if (held == null
                && !due
                && pass.passedOver() > 0
                && (!pass.depths().open(pass.depths().group(here)) || plan.spent(here))
                && pass.turns().postpones(here)) {
            passOver(here);
            return false;
        }
        job = here;
        kept = held != null;
        searched = kept;
        fits = held != null && held.start() <= pass.now() ? held : null;
        if (held != null && fits != null && !plan.admits(here, fits)) {
            refuse(here, held);
        }
        return true;
    }

    /** Counts a job that is not tried; others that are may overtake it. */
    private void passOver(Job here) {
        pass.passOver();
        pass.bypasses().passed(here, false);
    }

    /**
     * Looks for another place, as the nodes of a slot that has come due cannot hold the job now: others are in use there who
     * started since it was planned, perhaps in this pass, or more is in use than was given away. A start that is tried again
     * waits for these nodes alone.
     */
    private void refuse(Job here, Slot slot) {
        fits = null;
        if (retry == null) {
            plan.giveBack(slot);
            pass.slots().remove(here);
            held = null;
            fits = plan.now(here);
        }
    }

    /** Returns whether a reservation that is kept for a deadline alone may now begin earlier. */
    private boolean mayBeginEarlier(Job here, Slot slot) {
        return slot.start() > pass.now() && !pass.rules().of(here).retains();
    }

    /** Returns where the job fits now; null for nowhere. */
    private @Nullable Slot fits() {
        if (!searched) {
            fits = plan.now(job());
            searched = true;
        }
        return fits;
    }

    /** Returns whether the job fits now, wherever that is. */
    private boolean fitsAnywhere() {
        if (!searched && plan.fitsNow(job())) {
            return true;
        }
        searched = true;
        return fits != null;
    }

    /** Returns whether jobs are left for a later iteration. */
    boolean cut() {
        return cut;
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

    /** Returns whether the job overtakes nobody, or holds a slot of its own, or would hold one if its nodes still admitted it. */
    boolean inTurn() {
        return pass.passedOver() == 0 || held != null || (kept && mayOvertake());
    }

    /** Returns whether the job may start before one that waits ahead of it. */
    boolean mayOvertake() {
        return pass.overtaking().allowed(job());
    }

    /** Returns whether the job fits now and may be set aside to fill a window. */
    boolean mayFillWindow() {
        return !kept && !due && !pass.overtaking().never(job()) && fitsAnywhere();
    }

    /** Returns whether the job got a reservation in the last pass that it would get again, if not for an earlier start. */
    boolean reserved() {
        return pass.slots().reserved(job()) && pass.depths().open(pass.depths().group(job()));
    }

    /**
     * Starts the job if it fits and {@code allowed} holds. One that waits for an answer keeps its nodes instead.
     * Returns whether either happened.
     */
    boolean start(boolean allowed) {
        Job starting = job();
        Slot slot = allowed ? fits() : null;
        if (slot == null) {
            return false;
        }
        Slot own = held;
        Slot widest = retry == null ? pass.molding().widest(starting, slot, own) : slot;
        if (pass.actions().awaited(starting, widest.shares(), own != null)) {
            if (own == null) {
                plan.take(widest);
            }
            return true;
        }
        boolean ahead = pass.passedOver() > 0;
        if (own == null || widest.equals(slot)) {
            return pass.start(starting, widest, own == null, ahead);
        }
        plan.giveBack(own);
        boolean started = pass.start(starting, widest, true, ahead);
        if (!started) {
            plan.take(own);
        }
        return started;
    }

    /**
     * Passes the job over and reserves its earliest slot if it has a right to one: in time for its deadline, by a place of
     * its group, or because it holds one already. Returns whether it has.
     */
    boolean reserve() {
        if (fits() == null && held == null && makeRoom()) {
            return true;
        }
        Job blocked = job();
        Slot own = held;
        long turn = pass.passedOver() == 0 ? pass.now() : pass.overtaking().from(blocked, pass.allStarted());
        pass.passOver();
        if (retry != null) {
            return true;
        }
        int group = pass.depths().group(blocked);
        boolean entitled = kept || due || pass.depths().open(group);
        if (due) {
            pass.slots().deadlines().take(blocked);
        }
        if (own != null && fits() == null && pass.slots().isRoom(blocked)) {
            pass.rank(own);
        } else if (own != null && fits() == null) {
            pass.rank(blocked, own, group);
        } else if (entitled) {
            if (own != null) {
                plan.giveBack(own);
            }
            if (fits() != null) {
                pass.holdBack();
            }
            reserveEarliest(blocked, turn, group);
        }
        pass.unsettledBy(blocked);
        pass.bypasses().passed(blocked, (entitled || retaining) && pass.slots().of(blocked) != null);
        return entitled;
    }

    /** Has others preempted for the job, unless it would overtake somebody whom it may not; returns whether they are. */
    private boolean makeRoom() {
        Job blocked = job();
        boolean inTurn = pass.passedOver() == 0 || pass.overtaking().from(blocked, pass.allStarted()) <= pass.now() + 1;
        Slot slot = inTurn && mayPreempt ? pass.rooms().makeRoom(pass, blocked) : null;
        if (slot == null) {
            return false;
        }
        pass.passOver();
        pass.rank(slot);
        pass.unsettledBy(blocked);
        pass.bypasses().passed(blocked, true);
        return true;
    }

    /** Reserves the earliest slot from {@code turn} on, when those ahead of the job have started; an earlier one if that is too late. */
    private void reserveEarliest(Job blocked, long turn, int group) {
        long first = fits() != null ? pass.now() + 1 : pass.now();
        Slot slot = earliest(blocked, Math.max(first, turn));
        if (due && turn > first && (slot == null || !blocked.inTime(slot.start()))) {
            slot = earliest(blocked, first);
        }
        boolean stays = kept && pass.rules().of(blocked).retains();
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

    /** Returns the earliest slot from {@code from} on; null for none, or when nobody knows when those ahead of the job start. */
    private @Nullable Slot earliest(Job blocked, long from) {
        if (from == AvailabilityProfile.NEVER) {
            return null;
        }
        pass.searched();
        return plan.earliest(blocked, from);
    }

    /** Reports that nothing could ever hold the job, or remembers that it does not fit, so that later walks need not look. */
    void dismiss() {
        Job dismissed = job();
        if (!plan.possible(dismissed)) {
            pass.impossible(dismissed);
        } else if (fits() == null) {
            plan.fillColumns(dismissed, queue.columns(), queue.row(position));
        }
    }
}
