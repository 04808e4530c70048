package io.weir.scheduler.core.state;

import io.weir.scheduler.core.event.EventKey;
import io.weir.scheduler.core.job.FailedNodes;
import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.schemas.JobState;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Raises the events that are nothing but the life of jobs, reservations and others. Only where the configuration acts on them:
 * without a GEVENTCFG entry nobody is told of each job that starts. Owned by the core's thread.
 */
public final class ObjectEvents {
    /** How a resource manager says that it ended a job at its limit. */
    private static final String AT_LIMIT = "WALLCLOCK";

    private static final String RESERVATION_START = "rsvstart";

    private final DomainState domain;

    ObjectEvents(DomainState domain) {
        this.domain = domain;
    }

    /** Raises {@code event} for those who act on it by the configuration, and for triggers; nobody else is told. */
    public void raise(String event, String objectType, String objectId, String text) {
        var unused = domain.raise(new EventKey(objectType, objectId, event), text);
    }

    /** A job has another version; {@code before} is null for a new one. */
    void job(@Nullable Job before, Job after) {
        if (!domain.events.actsOnAny()) {
            return;
        }
        if (RunChange.between(before, after).began()) {
            raise("jobstart", "job", after.id(), "job " + after.id() + " starts");
        }
        if (before == null) {
            return;
        }
        if (isHeld(after) && !isHeld(before)) {
            raise("jobhold", "job", after.id(), "job " + after.id() + " is held");
        }
        if (requeued(before, after)) {
            raise("jobrequeue", "job", after.id(), "job " + after.id() + " is back in the queue");
        }
        if (before.finished() || !after.finished()) {
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

    /** Says whether somebody holds a job. The scheduler's own hold is told with its reason when it is decided. */
    private static boolean isHeld(Job job) {
        return job.state() == JobState.HOLD
                || job.holds().contains(Hold.USER)
                || job.holds().contains(Hold.SYSTEM);
    }

    /**
     * Says whether a job that ran is back in the queue. Where a node that failed is the cause, or may be, that is told when
     * it is known.
     */
    private static boolean requeued(Job before, Job after) {
        if (after.active() || after.finished() || !after.failedNodes().isEmpty()) {
            return false;
        }
        FailedNodes failed = before.failedNodes();
        boolean left = before.active() && before.state() != JobState.STARTING && !failed.endsRun();
        boolean cleared =
                !before.active() && failed.uncertain() && failed.confirmed().isEmpty();
        return left || cleared;
    }

    /** The start of {@code reservations} may have come since {@code before}, by {@code now}, both epoch seconds. */
    public void begin(Collection<AdministrativeReservation> reservations, long before, long now) {
        if (domain.events.rule(RESERVATION_START) == null) {
            return;
        }
        for (AdministrativeReservation reservation : reservations) {
            if (before < reservation.start() && reservation.start() <= now) {
                began(reservation);
            }
        }
    }

    /** A reservation has another version, {@code before} being null for a new one: it may begin before {@code now}. */
    void reservation(@Nullable AdministrativeReservation before, AdministrativeReservation after, long now) {
        if (after.start() <= now && (before == null || before.start() > now)) {
            began(after);
        }
    }

    private void began(AdministrativeReservation reservation) {
        raise(RESERVATION_START, "rsv", reservation.id(), "reservation " + reservation.id() + " begins");
    }

    /** A reservation is over before its time. */
    void cancelled(AdministrativeReservation reservation) {
        raise("rsvcancel", "rsv", reservation.id(), "reservation " + reservation.id() + " is released");
    }
}
