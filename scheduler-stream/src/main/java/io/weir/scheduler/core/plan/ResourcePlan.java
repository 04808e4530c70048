package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What is free from now on, after running jobs and the slots already taken. A backfill strategy works on it alike whether
 * it counts processors or follows every node. Instants are epoch seconds. Owned by the core's thread.
 */
public interface ResourcePlan {
    /**
     * Starts over with what the running jobs leave free from {@code now} on; drops every slot taken.
     *
     * @param begun from when on the delays of nodes count that take no jobs now: {@code now}, or when the pass began that a plan
     *     made anew goes on with
     */
    void reset(long now, long begun, SitePolicy policy);

    /** Starts over for a pass that begins {@code now}. */
    default void reset(long now, SitePolicy policy) {
        reset(now, now, policy);
    }

    /** Moves on to {@code now}; nothing but time has changed. */
    void resume(long now);

    /** Returns whether no job can start now, whatever it asks for. */
    boolean exhausted();

    /** Returns the slot in which {@code job} can start now and stay for its whole limit; null when there is none. */
    @Nullable
    Slot now(Job job);

    /** Returns whether {@link #now} finds a slot for {@code job}, without a search for it where that is known. */
    default boolean fitsNow(Job job) {
        return now(job) != null;
    }

    /**
     * Notes in {@code row} what {@link #outOfReach} needs to know of {@code job}, which is {@link #possible} but cannot start
     * now. Leaves the row blank where a note could not tell.
     */
    void fillColumns(Job job, QueueColumns columns, int row);

    /** Returns whether the job of {@code row} is known to be possible and not to fit now, by what was noted of it. */
    boolean outOfReach(QueueColumns columns, int row);

    /** Returns the earliest slot of {@code job} that starts at or after {@code from}; null when there is none at all. */
    @Nullable
    Slot earliest(Job job, long from);

    /** Returns the slot a reservation of {@code job} stands for; null when it no longer fits the job or the nodes. */
    @Nullable
    Slot reserved(Job job, Reservation reservation);

    /**
     * Returns whether the nodes of {@code slot}, which has come due, can give {@code job} now what was planned: by measurement,
     * by their limits and by those who are on them. What others hold of the plan is not looked at.
     */
    default boolean admits(Job job, Slot slot) {
        return true;
    }

    /**
     * Returns whether a plan made at {@code now} would count free resources otherwise than this one does, even if nothing
     * happened in between.
     */
    default boolean stale(long now) {
        return false;
    }

    /**
     * Returns whether jobs wait that have to stay inside reservations: until the plan starts over they see less there than there
     * is once others started, for what these take is counted inside, though they may lie outside.
     */
    default boolean confines() {
        return false;
    }

    /**
     * Returns whether something of a node of {@code slot} is reserved for some jobs. Once a job runs in that slot, others see less
     * there until the plan starts over than there is: what it uses of the reservation counts as hidden from them, and as taken.
     */
    default boolean onReserved(Slot slot) {
        return false;
    }

    /**
     * Returns whether a job that waits, with a slot ahead or without, might be planned otherwise once others, behind it in
     * the queue, have taken of what it leaves.
     */
    default boolean restless(Job job, boolean slot) {
        return false;
    }

    /**
     * Returns the earliest start in a node set for which a job waits that fits now outside of it, epoch seconds;
     * {@link AvailabilityProfile#NEVER} when none does. From then on the job is to be looked at again: it may have missed it.
     */
    default long nextInSet() {
        return AvailabilityProfile.NEVER;
    }

    /**
     * Returns from when on, epoch seconds, a plan would count nodes that give less than jobs leave of them as unavailable for
     * longer than this one does; {@link AvailabilityProfile#NEVER} when it does not.
     */
    default long withholdsMoreFrom() {
        return AvailabilityProfile.NEVER;
    }

    /**
     * Returns the first instant, epoch seconds, at which this plan counts on a node that takes no jobs now, while a plan made then
     * would not; {@link AvailabilityProfile#NEVER} for none.
     */
    default long nextReturn() {
        return AvailabilityProfile.NEVER;
    }

    /** Returns whether no more is searched for {@code job} in this plan, as jobs of several requirements cost enough. */
    default boolean spent(Job job) {
        return false;
    }

    /** Returns whether jobs of several requirements cost so much that the next plan has to start over. */
    default boolean laborious() {
        return false;
    }

    /** Returns whether some nodes of slots that do not begin now are to be named when all slots are known. */
    default boolean namesLate() {
        return false;
    }

    /**
     * Returns slots that were taken, and do not begin now, with the names of the nodes they are on if all goes as planned.
     *
     * @param fixed slots taken whose nodes stay the same
     */
    default SortedMap<String, Slot> named(SortedMap<String, Slot> slots, Collection<Slot> fixed) {
        return slots;
    }

    /** Takes {@code slot}, even if it is not free. */
    void take(Slot slot);

    /** Gives back a slot that was taken. */
    void giveBack(Slot slot);

    /**
     * Counts what {@code job}, which runs, holds as free from {@code from} on, epoch seconds, as if it ended then. What it holds of
     * the cluster as a whole, and of nodes that take no jobs now, still counts as held. Once the plan starts over it is as before.
     */
    void vacate(Job job, long from);

    /** Takes back a {@link #vacate} of {@code job} from the same instant on. */
    void reoccupy(Job job, long from);

    /** Returns whether the nodes could hold {@code job} if nothing else ran and all of them were up. */
    boolean possible(Job job);

    /** Returns whether {@code job} has to stay inside a reservation, and none there is lets it in. */
    default boolean lockedOut(Job job) {
        return false;
    }

    /** Returns whether a job that has to run inside a node set is more than the sets could hold even if nothing ran. */
    default boolean forbiddenBySets(Job job) {
        return false;
    }

    /** Returns the windows of idle resources that begin now, widest first; each lasts longer than the one before. */
    List<Window> windows();

    /** Returns the processor equivalents of {@code job} times 1000: its share of the scarcest resource, in processors. */
    long milliEquivalents(Job job);

    /** Returns whether more is taken than there is at any time. */
    boolean overcommitted();
}
