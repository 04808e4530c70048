package io.weir.scheduler.core.state;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.event.EventTable;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import org.jspecify.annotations.Nullable;

/**
 * Raises the events that are nothing but the life of jobs, reservations and others. Only where the configuration acts on them:
 * without a GEVENTCFG entry nobody is told of each job that starts. Owned by the core's thread.
 */
public final class ObjectEvents {
    /** How a resource manager says that it ended a job at its limit. */
    private static final String AT_LIMIT = "WALLCLOCK";

    private final EventTable events;

    ObjectEvents(EventTable events) {
        this.events = events;
    }

    /** Raises {@code event}, if the configuration acts on it. */
    public void raise(String event, String objectType, String objectId, String text) {
        if (events.rule(event) != null) {
            var unused = events.occurred(new EventKey(objectType, objectId, event), text);
        }
    }

    /** A job has another version; {@code before} is null for a new one. */
    void job(@Nullable Job before, Job after) {
        if (after.active() && (before == null || !before.active())) {
            raise("jobstart", "job", after.id(), "job " + after.id() + " starts");
        }
        if (before == null || before.finished() || !after.finished()) {
            return;
        }
        String reason = after.reason();
        String text = "job " + after.id() + " ends: " + after.state() + (reason == null ? "" : ", " + reason);
        raise("jobend", "job", after.id(), text);
        if (AT_LIMIT.equals(reason)) {
            raise("jobwcviolation", "job", after.id(), text);
        }
        if (before.failedNodes().endsRun()) {
            // That was told when it was decided.
            return;
        }
        switch (after.state()) {
            case FAILED -> raise("jobfail", "job", after.id(), text);
            case CANCELLED -> raise("jobcancel", "job", after.id(), text);
            case UNKNOWN, IDLE, HOLD, STARTING, RUNNING, SUSPENDED, COMPLETED, REMOVED -> {
                // No event of its own.
            }
        }
    }

    /** A reservation is over before its time. */
    void cancelled(AdministrativeReservation reservation) {
        raise("rsvcancel", "rsv", reservation.id(), "reservation " + reservation.id() + " is released");
    }
}
