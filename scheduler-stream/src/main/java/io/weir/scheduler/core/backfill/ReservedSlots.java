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
import java.util.TreeMap;
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

    ReservedSlots(JobTable jobs, ReservationTable reservations) {
        this.jobs = jobs;
        this.reservations = reservations;
    }

    /** Begins a complete pass. */
    void clear() {
        slots.clear();
        retries.clear();
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Returns the slot of {@code job}; null when it has none. */
    @Nullable
    Slot of(Job job) {
        return slots.get(job.id());
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

    /** Puts what is held for retries into a plan that starts anew. */
    void takeRetries(ResourcePlan plan) {
        retries.values().forEach(plan::take);
    }

    /** Reserves a slot; where nodes are named late that is told by {@link #name}. */
    void reserve(ResourcePlan plan, Job job, Slot slot, PlanActions actions) {
        plan.take(slot);
        hold(job, slot);
        if (!plan.namesLate()) {
            actions.reserve(job, slot.start(), slot.shares());
        }
    }

    /** Notes that {@code job} has no reservation any more; one that runs holds its nodes itself. */
    void remove(Job job) {
        slots.remove(job.id());
        retries.remove(job.id());
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
                actions.reserve(job, named.getValue().start(), named.getValue().shares());
            }
        }
    }

    /** Gives up every reservation that a complete pass neither kept nor made. */
    void releaseOthers(PlanActions actions) {
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
