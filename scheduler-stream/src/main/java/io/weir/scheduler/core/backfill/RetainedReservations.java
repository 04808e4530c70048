package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobQueue;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.plan.ResourcePlan;
import io.weir.scheduler.core.plan.Slot;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.schemas.ReservationType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the reservations of earlier passes into the plan of a complete pass, before it looks at any job: those of jobs whose
 * start was refused (RESERVATIONRETRYTIME), those that a {@link ReservationStrategy} retains, and those in time for a
 * deadline.
 */
final class RetainedReservations {
    private final JobTable jobs;
    private final ReservationTable reservations;
    private final ReservedSlots slots;

    RetainedReservations(JobTable jobs, ReservationTable reservations, ReservedSlots slots) {
        this.jobs = jobs;
        this.reservations = reservations;
        this.slots = slots;
    }

    /** Returns whether the nodes of a job are kept although its start was refused. */
    boolean retrying() {
        for (Job job : jobs.refused()) {
            if (reservations.get(job.id()) != null) {
                return true;
            }
        }
        return false;
    }

    /** Keeps the nodes of jobs whose start was refused. */
    void holdForRetries(ResourcePlan plan, SitePolicy policy, long now, PlanActions actions) {
        for (Job job : List.copyOf(jobs.refused())) {
            Reservation reservation = reservations.get(job.id());
            if (reservation == null || !job.waiting()) {
                continue;
            }
            String qos = job.qos();
            long hold = policy.reservations().retrySeconds(qos == null ? "" : qos);
            Slot slot = now < job.refusedSince() + hold ? plan.reserved(job, reservation) : null;
            if (slot == null) {
                actions.retryExpired(job);
            } else {
                slots.retry(plan, job, slot.at(now));
            }
        }
    }

    /** Returns whether room is kept for a job for which others were preempted. */
    boolean makingRoom() {
        for (Job job : jobs.preemptions()) {
            if (job.waiting()) {
                return true;
            }
        }
        return false;
    }

    /** Keeps the earliest slots of jobs for which others were preempted, in queue order and before anybody else has any. */
    void holdRooms(ResourcePlan plan, long now, PlanActions actions) {
        List<Job> waiting = new ArrayList<>();
        for (Job job : jobs.preemptions()) {
            if (job.waiting() && slots.retried(job) == null) {
                waiting.add(job);
            }
        }
        for (Job job : inOrder(waiting)) {
            actions.considering(job);
            Slot slot = plan.earliest(job, Math.max(now, job.notBefore()));
            if (slot != null && slot.start() > now) {
                slots.room(plan, job, slot, actions);
            } else if (slot != null) {
                slots.room(plan, job, slot);
            }
        }
    }

    /**
     * Puts the reservations of the last pass into the plan. When capacity came free each job in queue order gives up its
     * slot and takes its earliest one; a job that keeps its reservation for its deadline alone does so in the walk, behind
     * those before it. When a slot has passed or no longer holds, all are placed anew. A job that may not overtake stays behind
     * those placed before it.
     */
    void keep(PlanningPass pass) {
        ResourcePlan plan = pass.plan();
        PartitionRules rules = pass.rules();
        Overtaking overtaking = pass.overtaking();
        PlanActions actions = pass.actions();
        long now = pass.now();
        List<Job> holders = holders(rules, now);
        boolean intact = true;
        for (Job job : holders) {
            actions.considering(job);
            Slot kept = kept(plan, job);
            if (lastsForDeadline(job)) {
                slots.deadlines().keep(job);
            }
            if (kept == null || kept.start() < now) {
                intact = false;
            } else {
                plan.take(kept);
                slots.hold(job, kept);
            }
        }
        long ahead = now;
        if (!intact || plan.overcommitted()) {
            plan.reset(now, pass.begun(), pass.policy());
            slots.takeHeld(plan);
            for (Job job : holders) {
                place(plan, rules, job, from(job, overtaking, ahead, true), actions);
                ahead = later(ahead, job);
            }
        } else if (pass.freed()) {
            for (Job job : holders) {
                Slot kept = slots.of(job);
                if (kept != null && rules.of(job).slides() && !plan.spent(job)) {
                    plan.giveBack(kept);
                    place(plan, rules, job, from(job, overtaking, ahead, false), actions);
                }
                ahead = later(ahead, job);
            }
        }
    }

    /** Returns {@code ahead}, or the start of the slot of {@code job} if that is later. */
    private long later(long ahead, Job job) {
        Slot slot = slots.of(job);
        return slot == null ? ahead : Math.max(ahead, slot.start());
    }

    /**
     * Returns from when on {@code job} may start if all of those ahead of it that hold slots have started at {@code ahead}. Its
     * own slot is not put off, unless those of others were and it may never overtake.
     */
    private long from(Job job, Overtaking overtaking, long ahead, boolean anew) {
        long turn = overtaking.from(job, ahead);
        Reservation before = reservations.get(job.id());
        return before == null || (anew && overtaking.never(job) && !job.inTime(before.start()))
                ? turn
                : Math.max(overtaking.now(), Math.min(turn, before.start()));
    }

    private @Nullable Slot kept(ResourcePlan plan, Job job) {
        Reservation reservation = reservations.get(job.id());
        return reservation == null ? null : plan.reserved(job, reservation);
    }

    /** Returns the waiting jobs whose reservations are kept, in queue order. */
    private List<Job> holders(PartitionRules rules, long now) {
        List<Job> holders = new ArrayList<>();
        if (rules.retains()) {
            for (Reservation reservation : reservations.all()) {
                Job job = jobs.get(reservation.jobId());
                if (job != null && lasts(rules, job, now)) {
                    holders.add(job);
                }
            }
        } else {
            jobs.due().stream().filter(job -> lasts(rules, job, now)).forEach(holders::add);
        }
        return inOrder(holders);
    }

    private List<Job> inOrder(List<Job> holders) {
        JobQueue queue = jobs.queue();
        SortedMap<Integer, Job> places = new TreeMap<>();
        for (Job job : holders) {
            int place = queue.position(job);
            if (place >= 0) {
                places.put(place, job);
            }
        }
        return List.copyOf(places.values());
    }

    /** Returns whether {@code job} has a reservation that is kept: by its policy, or in time for its deadline. */
    private boolean lasts(PartitionRules rules, Job job, long now) {
        Reservation reservation = reservations.get(job.id());
        return reservation != null
                && slots.retried(job) == null
                && !slots.isRoom(job)
                && (rules.of(job).retains() || lastsForDeadline(job))
                && job.notBefore() <= now;
    }

    private boolean lastsForDeadline(Job job) {
        Reservation reservation = reservations.get(job.id());
        return reservation != null && reservation.type() == ReservationType.DEADLINE && job.inTime(reservation.start());
    }

    /** Places a reservation anew, not before {@code from}; one that is kept for a deadline alone does not move ahead. */
    private void place(ResourcePlan plan, PartitionRules rules, Job job, long from, PlanActions actions) {
        actions.considering(job);
        ReservationStrategy strategy = rules.of(job);
        Reservation before = reservations.get(job.id());
        Slot slot = plan.earliest(job, strategy.slides() || before == null ? from : Math.max(from, before.start()));
        if (slot == null || !(strategy.retains() || job.inTime(slot.start()))) {
            slots.remove(job);
        } else {
            slots.reserve(plan, job, slot, actions);
        }
    }
}
