package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import org.jspecify.annotations.Nullable;

/**
 * A complete pass over the queue and the passes that continue it: the plan, what was taken from it, and how far the walk
 * came. A {@link BackfillStrategy} works on it.
 */
final class PlanningPass {
    private final SitePolicy policy;
    private final JobQueue queue;
    private final ResourcePlan plan;
    private final PartitionRules rules;
    private final ReservationDepths depths;
    private final ReservedSlots slots;
    private final BypassCounter bypasses;
    private final SpreadTurns turns;

    private Moment moment;

    /** Position of the last job that can still be over by its deadline; -1 when there is none. */
    private int lastDue = -1;

    /** Jobs at the head of the queue that were looked at and left there. */
    private int seen;

    /** Jobs that could not start. */
    private int passedOver;

    /** Whether a job bars everyone behind it. */
    private boolean blocked;

    /** Whether a job was passed over that might be planned otherwise once others have taken of what it leaves. */
    private boolean restless;

    /** Whether a job started behind such a job. */
    private boolean overtaken;

    /** Whether any job started. */
    private boolean started;

    /** Whether a job started on a node of which something is reserved. */
    private boolean startedOnReserved;

    /** Whether a job that fits now, but may not start yet, got a later slot. */
    private boolean heldBack;

    /** Whether a job passed over was found impossible and deferred, so that it no longer counts. */
    private boolean withdrawn;

    /** Whether one was found impossible and not deferred: it is looked at again in the next pass. */
    private boolean insistent;

    /** Searches for the earliest slot of a job that was passed over. */
    private int searches;

    /** Whether jobs behind those seen were left for a later iteration, as there had been searches enough. */
    private boolean cut;

    /** Position of the first job behind which none gets a reservation, as there were enough; -1 where there were not. */
    private int closed = -1;

    /** Earliest start among the reservations, epoch seconds. */
    private long nextReserved = AvailabilityProfile.NEVER;

    /** Jobs that could not start and have a reservation. */
    private int ranked;

    /** Latest start among these reservations, epoch seconds. */
    private long lastReserved = Long.MIN_VALUE;

    /**
     * What differs between a complete pass and those that continue it.
     *
     * @param now the instant, epoch seconds
     * @param before how far a pass came that this one repeats before it goes on with it; null for none
     * @param freed whether capacity came free since the last pass
     * @param chunkEnd until when room that came free is kept for wide jobs, epoch seconds
     * @param reach how many searches the complete pass and all that continue it may make together; those behind are left for a
     *     later iteration
     * @param most how many searches they may make, and how many reservations may stand, before jobs get no more of them
     * @param starts how many jobs may start
     * @param rooms makes room for those that may preempt others
     * @param actions carries out what is decided
     */
    record Moment(
            long now,
            @Nullable PlanProgress before,
            boolean freed,
            long chunkEnd,
            int reach,
            int most,
            StartAllowance starts,
            RoomMaker rooms,
            PlanActions actions) {
        /** Returns the instant at which the pass began, or the one it repeats, epoch seconds. */
        long begun() {
            return before == null ? now : before.begun();
        }
    }

    PlanningPass(
            Moment moment,
            SitePolicy policy,
            JobQueue queue,
            ResourcePlan plan,
            PartitionRules rules,
            ReservationDepths depths,
            ReservedSlots slots,
            BypassCounter bypasses,
            SpreadTurns turns) {
        this.moment = moment;
        this.policy = policy;
        this.queue = queue;
        this.plan = plan;
        this.rules = rules;
        this.depths = depths;
        this.slots = slots;
        this.bypasses = bypasses;
        this.turns = turns;
    }

    /** Goes on at another moment, at which nothing is free that was not before. */
    void resume(Moment later) {
        moment = later;
        plan.resume(later.now());
    }

    /** Sets the position of the last job that can still be over by its deadline; -1 for none. */
    void lastDue(int position) {
        lastDue = position;
    }

    /** Turns to {@code job}; returns false when it may not start yet. */
    boolean consider(Job job) {
        moment.actions().considering(job);
        return job.notBefore() <= moment.now();
    }

    /**
     * Starts {@code job} in {@code slot}; returns false, and changes nothing, when its tasks do not fit after all.
     *
     * @param takes whether the plan does not hold the slot yet
     * @param ahead whether it overtakes a job
     */
    boolean start(Job job, Slot slot, boolean takes, boolean ahead) {
        if (!moment.actions().start(job, slot.shares(), ahead)) {
            return false;
        }
        countStart(job);
        if (takes) {
            plan.take(slot);
        }
        bypasses.started();
        overtaken |= restless;
        started = true;
        startedOnReserved |= plan.onReserved(slot);
        slots.remove(job);
        return true;
    }

    /** Returns what finds the size with which a moldable job starts. */
    MoldableStart molding() {
        return new MoldableStart(plan, policy);
    }

    /** Reports that nothing could ever hold {@code job}, which was passed over: nobody overtakes it any more. */
    void impossible(Job job) {
        if (moment.actions().impossible(job)) {
            withdrawn = true;
        } else {
            insistent = true;
        }
        passedOver--;
    }

    /** Notes that a job that fits now, but may not start yet, gets a later slot: once it has one, an earlier one may be found. */
    void holdBack() {
        heldBack = true;
    }

    /** Counts a job that could not start. */
    void passOver() {
        passedOver++;
    }

    /** Notes whether the plan for {@code job}, which was passed over, may change with what others take behind it. */
    void unsettledBy(Job job) {
        restless |= plan.restless(job, slots.of(job) != null);
    }

    /** Counts a reservation of {@code group} that stands; one in time for a deadline takes no place of its group. */
    void rank(Job job, Slot slot, int group) {
        if (!job.inTime(slot.start()) || !slots.deadlines().holds(job)) {
            depths.take(group);
        }
        rank(slot);
    }

    /** Counts a reservation that stands beside those of the groups. */
    void rank(Slot slot) {
        nextReserved = Math.min(nextReserved, slot.start());
        lastReserved = Math.max(lastReserved, slot.start());
        ranked++;
    }

    /** Says that nobody behind the present job may start. */
    void block() {
        blocked = true;
    }

    /** Says that every waiting job was looked at. */
    void allSeen() {
        seen = queue.size();
        cut = false;
    }

    /** Says that the jobs from {@code position} on are left for a later iteration. */
    void cutAt(int position) {
        seen = position;
        cut = true;
    }

    /** Returns whether jobs were left for a later iteration. */
    boolean cut() {
        return cut;
    }

    /** Counts a search for the earliest slot of a job that was passed over. */
    void searched() {
        searches++;
    }

    /** Returns how many searches the complete pass and those that continued it made. */
    int searches() {
        return searches;
    }

    /** Counts the start of {@code job}. */
    void countStart(Job job) {
        moment.starts().started(job);
    }

    /** Returns whether the jobs that were not reached have to wait for the next iteration, as enough started in this one. */
    boolean startedEnough() {
        return moment.starts().spent();
    }

    /** Makes no reservations from the job at {@code position} on, if there are as many as there may be. */
    void closeIfFull(int position) {
        if (Math.max(searches, ranked) >= moment.most() && depths.open()) {
            depths.close();
            closed = position;
        }
    }

    /** Returns the position of the first job behind which none gets a reservation, as there were enough; -1 where there were not. */
    int closed() {
        return closed;
    }

    /** Returns whether the pass would have made other reservations if {@code most} had been as many as there may be. */
    boolean dependsOnMost(int most) {
        return moment.most() != most && (closed >= 0 || Math.max(searches, ranked) > most);
    }

    /** Returns whether searches have to wait for a later iteration. */
    boolean spent() {
        return searches >= moment.reach();
    }

    SitePolicy policy() {
        return policy;
    }

    JobQueue queue() {
        return queue;
    }

    ResourcePlan plan() {
        return plan;
    }

    PartitionRules rules() {
        return rules;
    }

    ReservationDepths depths() {
        return depths;
    }

    ReservedSlots slots() {
        return slots;
    }

    BypassCounter bypasses() {
        return bypasses;
    }

    /** Returns which jobs of several requirements are tried. */
    SpreadTurns turns() {
        return turns;
    }

    /** Returns what makes room for jobs that may preempt others. */
    RoomMaker rooms() {
        return moment.rooms();
    }

    PlanActions actions() {
        return moment.actions();
    }

    /** Returns the instant of the pass, epoch seconds. */
    long now() {
        return moment.now();
    }

    /** Returns the instant at which the pass began, epoch seconds. */
    long begun() {
        return moment.begun();
    }

    /** Returns whether capacity came free since the last pass. */
    boolean freed() {
        return moment.freed();
    }

    /** Returns which jobs may start before others that wait ahead of them. */
    Overtaking overtaking() {
        return new Overtaking(policy, moment.now(), moment.chunkEnd());
    }

    int lastDue() {
        return lastDue;
    }

    /** Returns the position of the first job not looked at yet. */
    int firstUnseen() {
        return seen;
    }

    int passedOver() {
        return passedOver;
    }

    boolean blocked() {
        return blocked;
    }

    long nextReserved() {
        return nextReserved;
    }

    /**
     * Returns when the jobs passed over will all have started by their reservations, epoch seconds;
     * {@link AvailabilityProfile#NEVER} where one of them has none, so that nobody knows.
     */
    long allStarted() {
        return ranked < passedOver ? AvailabilityProfile.NEVER : lastReserved;
    }

    /** Returns whether what happened in the walk may change how jobs that were passed over are planned. */
    boolean disturbed() {
        return overtaken || withdrawn || startedOnReserved || (started && plan.confines());
    }

    /**
     * Returns whether the plan is good for this pass alone, and for those that go on where it was cut: a job that fits may not
     * start yet, or jobs of several requirements cost much of what they may.
     */
    boolean provisional() {
        return insistent || heldBack || plan.laborious();
    }

    /** Returns the position of the job behind {@code job}, which stood at {@code position} and may have left the queue. */
    static int after(JobQueue queue, int position, Job job) {
        if (position >= queue.size()) {
            return position;
        }
        Job there = queue.get(position);
        return there == job || there.id().equals(job.id()) ? position + 1 : position;
    }
}
