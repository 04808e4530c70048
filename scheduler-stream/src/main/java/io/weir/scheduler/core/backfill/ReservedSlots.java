package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slots of jobs whose reservation stands after a pass: kept from an earlier one, held because a start was refused and
 * is tried again, or made anew.
 */
final class ReservedSlots {
    private final JobTable jobs;
    private final ReservationTable reservations;

    /** By job. */
    private final SortedMap<String, Slot> slots = new TreeMap<>();

    /** Those of jobs whose start was refused and is tried again on the same nodes. */
    private final SortedMap<String, Slot> retries = new TreeMap<>();

    /** Jobs for which others were preempted: what they wait for is kept from all others. */
    private final SortedSet<String> rooms = new TreeSet<>();

    private final DeadlinePlaces deadlines = new DeadlinePlaces();

    /** Jobs with a reservation that left the queue since others were given up; null while that is not known. */
    private @Nullable SortedSet<String> departed;

    ReservedSlots(JobTable jobs, ReservationTable reservations) {
        this.jobs = jobs;
        this.reservations = reservations;
    }

    /** Begins a complete pass. */
    void clear() {
        slots.clear();
        retries.clear();
        rooms.clear();
        deadlines.clear();
    }

    /** Returns which jobs have a place among those that are reserved for in time for their deadlines. */
    DeadlinePlaces deadlines() {
        return deadlines;
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Returns the slot of {@code job}; null when it has none. */
    @Nullable
    Slot of(Job job) {
        return slots.get(job.id());
    }

    /** Returns whether {@code job} has a reservation, be it of an earlier pass. */
    boolean reserved(Job job) {
        return reservations.get(job.id()) != null;
    }

    /** Returns whether a refused start is tried again on the same nodes. */
    boolean retries() {
        return !retries.isEmpty();
    }

    /** Returns the slot in which the refused start of {@code job} is tried again; null for none. */
    @Nullable
    Slot retried(Job job) {
        return retries.isEmpty() ? null : retries.get(job.id());
    }

    /** Returns whether room is kept for a job for which others were preempted. */
    boolean anyRoom() {
        return !rooms.isEmpty();
    }

    /** Returns whether the slot of {@code job} is room for which others were preempted. */
    boolean isRoom(Job job) {
        return !rooms.isEmpty() && rooms.contains(job.id());
    }

    /** Keeps {@code slot} for a job for which others are preempted. */
    void room(ResourcePlan plan, Job job, Slot slot, PlanActions actions) {
        rooms.add(job.id());
        reserve(plan, job, slot, actions);
    }

    /** Keeps {@code slot}, which begins now, for a job for which others were preempted. */
    void room(ResourcePlan plan, Job job, Slot slot) {
        rooms.add(job.id());
        plan.take(slot);
        hold(job, slot);
    }

    /** Notes that the reservation of a job stands; a walk has to look at the job then. */
    void hold(Job job, Slot slot) {
        slots.put(job.id(), slot);
        jobs.queue().forget(job);
    }

    /** Holds the slot of a job whose start is tried again. */
    void retry(ResourcePlan plan, Job job, Slot slot) {
        plan.take(slot);
        retries.put(job.id(), slot);
        hold(job, slot);
    }

    /** Puts what is held for retries, and for those for which others were preempted, into a plan that starts anew. */
    void takeHeld(ResourcePlan plan) {
        retries.values().forEach(plan::take);
        for (String id : rooms) {
            Slot slot = slots.get(id);
            if (slot != null) {
                plan.take(slot);
            }
        }
    }

    /** Reserves a slot; where nodes are named late that is told by {@link #name}. */
    void reserve(ResourcePlan plan, Job job, Slot slot, PlanActions actions) {
        plan.take(slot);
        hold(job, slot);
        if (!plan.namesLate()) {
            actions.reserve(job, slot.start(), slot.shares(), deadlines.holds(job));
        }
    }

    /** Notes that the job left the queue; its reservation, if it has one, is given up by the next pass. */
    void departed(String id) {
        if (departed != null && reservations.get(id) != null) {
            departed.add(id);
        }
    }

    /** Notes that {@code job} has no reservation any more; one that runs holds its nodes itself. */
    void remove(Job job) {
        slots.remove(job.id());
        retries.remove(job.id());
        rooms.remove(job.id());
    }

    /** Reserves what was planned in this pass, where nodes are named when all is planned. */
    void name(ResourcePlan plan, PlanActions actions) {
        if (!plan.namesLate()) {
            return;
        }
        SortedMap<String, Slot> planned = new TreeMap<>(slots);
        planned.keySet().removeAll(retries.keySet());
        for (Map.Entry<String, Slot> named :
                plan.named(planned, retries.values()).entrySet()) {
            Job job = jobs.get(named.getKey());
            if (job != null) {
                Slot slot = named.getValue();
                actions.reserve(job, slot.start(), slot.shares(), deadlines.holds(job));
            }
        }
    }

    /**
     * Gives up the reservations that a pass which begins, but is not over, neither kept nor made: of jobs among the
     * {@code seen} first in the queue or in it no longer, and those whose start has passed. What jobs behind them have stays
     * until they are reached.
     */
    void releasePassed(int seen, long now, PlanActions actions) {
        SortedSet<String> passed = new TreeSet<>();
        for (int position = 0; position < seen; position++) {
            passed.add(jobs.queue().get(position).id());
        }
        for (Reservation reservation : reservations.byStart()) {
            if (reservation.start() > now) {
                break;
            }
            passed.add(reservation.jobId());
        }
        for (String id : departed == null ? all() : departed) {
            Job job = jobs.get(id);
            if (job == null || jobs.queue().position(job) < 0) {
                passed.add(id);
            }
        }
        departed = new TreeSet<>();
        passed.forEach(id -> release(id, actions));
    }

    private List<String> all() {
        return reservations.all().stream().map(Reservation::jobId).toList();
    }

    private void release(String id, PlanActions actions) {
        if (!slots.containsKey(id) && reservations.get(id) != null) {
            actions.release(id);
        }
    }

    /** Does the same for the jobs from position {@code first} to before {@code seen} alone, to which a pass went on. */
    void releasePassed(int first, int seen, PlanActions actions) {
        for (int position = first; position < seen; position++) {
            release(jobs.queue().get(position).id(), actions);
        }
    }

    /** Gives up every reservation that a complete pass neither kept nor made. */
    void releaseOthers(PlanActions actions) {
        departed = new TreeSet<>();
        if (reservations.size() == slots.size()) {
            return;
        }
        for (Reservation reservation : List.copyOf(reservations.all())) {
            if (!slots.containsKey(reservation.jobId())) {
                actions.release(reservation.jobId());
            }
        }
    }
}
