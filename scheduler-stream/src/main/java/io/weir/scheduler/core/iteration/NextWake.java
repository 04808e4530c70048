package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.failure.Cleanups;
import io.weir.scheduler.core.failure.NodeFailures;
import io.weir.scheduler.core.failure.SilentManagers;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.output.LienRequests;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.scheduler.core.trigger.TriggerSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the scheduler wants to run again by itself: the earliest instant at which something changes without an event, and at
 * once while a plan is not finished.
 */
final class NextWake {
    private NextWake() {}

    /** Returns whether jobs were planned in this iteration. */
    private static boolean schedules(ClusterState state) {
        return state.domain.standing.schedules() && state.domain.blockedSince == Job.NONE;
    }

    /** Returns the earliest reserved start; where nothing was planned, by the reservations that stand since before. */
    private static long nextReserved(ClusterState state) {
        if (schedules(state)) {
            return state.planner.nextReserved();
        }
        return state.reservations.byStart().stream()
                .findFirst()
                .map(Reservation::start)
                .orElse(AvailabilityProfile.NEVER);
    }

    /** Returns the first instant at which this core wants to run again by itself; null for none. */
    static @Nullable Instant after(ClusterState state, long nowMillis) {
        if (schedules(state) && state.planner.unfinished()) {
            return Instant.ofEpochMilli(nowMillis + 1);
        }
        long now = Math.floorDiv(nowMillis, 1000L);
        long wake = AvailabilityProfile.NEVER;
        long reserved = nextReserved(state);
        if (reserved > now) {
            wake = reserved;
        }
        long boundary = state.administrativeReservations.nextBoundary(now);
        if (boundary != TimeArgument.FOREVER) {
            wake = Math.min(wake, boundary);
        }
        long eligible = state.jobs.nextEligible(now);
        if (eligible != Job.NONE) {
            wake = Math.min(wake, eligible);
        }
        if (state.domain.standing.resumeAt() > now) {
            wake = Math.min(wake, state.domain.standing.resumeAt());
        }
        if (state.domain.chunkEnd > now) {
            wake = Math.min(wake, state.domain.chunkEnd);
        }
        long answer = PluginRequests.nextExpiry(state);
        if (answer != Job.NONE) {
            wake = Math.min(wake, answer);
        }
        long lien = LienRequests.nextExpiry(state);
        if (lien != Job.NONE) {
            wake = Math.min(wake, lien);
        }
        for (Job job : state.jobs.active()) {
            if (job.plannedEnd() >= now) {
                wake = Math.min(wake, job.plannedEnd() + 1);
                break;
            }
            if (job.limitEnd() >= now) {
                wake = Math.min(wake, job.limitEnd() + 1);
            } else if (job.notBefore() > now) {
                wake = Math.min(wake, job.notBefore());
            }
        }
        long silence = SilentManagers.nextDue(state, nowMillis);
        if (silence != Job.NONE) {
            wake = Math.min(wake, silence);
        }
        long failure = NodeFailures.nextDue(state, now);
        if (failure != Job.NONE) {
            wake = Math.min(wake, failure);
        }
        long cleanup = Cleanups.nextDue(state);
        if (cleanup > now) {
            wake = Math.min(wake, cleanup);
        }
        long preemptee = state.planner.nextPreemptee();
        if (preemptee > now) {
            wake = Math.min(wake, preemptee);
        }
        long preemption = Preemptions.nextDue(state);
        if (preemption > now) {
            wake = Math.min(wake, preemption);
        }
        wake = Math.min(wake, Math.max(now + 1, state.nodes.nextExpiry()));
        Long event = state.domain.events.nextWake(now);
        if (event != null) {
            wake = Math.min(wake, event);
        }
        Long trigger = state.triggers.nextWake(now);
        if (trigger != null) {
            wake = Math.min(wake, trigger);
        }
        Long blocked = state.domain.blockedSince == Job.NONE
                ? null
                : state.triggers.firings().blockedUntil(now);
        if (blocked != null) {
            wake = Math.min(wake, Math.min(blocked, state.domain.blockedSince + TriggerSpec.LONGEST_BLOCK));
        }
        Long charge = state.charges.nextWake(now);
        if (charge != null) {
            wake = Math.min(wake, charge);
        }
        if (!state.domain.requests.isEmpty()) {
            wake = Math.min(wake, now + 1);
        }
        return wake == AvailabilityProfile.NEVER ? null : Instant.ofEpochSecond(wake);
    }
}
