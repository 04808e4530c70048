package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Hold;
import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobEdit;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.PluginRequests;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.state.SchedulerStatus;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;

/**
 * Sets aside what the scheduler failed on, as the journal says, so that the iterations to come do not touch it, and takes
 * back what is lifted. Everybody is told by an event.
 */
public final class QuarantineControl {
    /** Begins the message of a job, and the text of every event. */
    private static final String SET_ASIDE = "set aside, the scheduler fails on it: ";

    private static final String EVENT = "quarantine";

    private final ClusterState state;

    QuarantineControl(ClusterState state) {
        this.state = state;
    }

    /** Returns what is said of an object that is set aside. */
    public static String why(Quarantine quarantine) {
        return SET_ASIDE + quarantine.getCause() + ": " + quarantine.getMessage();
    }

    void apply(Quarantine quarantine) {
        if (quarantine.getLifted()) {
            lift(quarantine);
        } else {
            setAside(quarantine);
        }
    }

    private void setAside(Quarantine quarantine) {
        String id = quarantine.getId();
        switch (quarantine.getKind()) {
            case INPUT -> notice(quarantine, "input", "it is among the dead letters");
            case JOB -> job(quarantine);
            case NODE -> node(quarantine);
            case RESERVATION -> {
                AdministrativeReservation reservation = state.administrativeReservations.get(id);
                if (reservation != null) {
                    state.domain.reservations.disable(reservation);
                    state.quarantine.put(quarantine);
                }
                notice(quarantine, "rsv", "it is released");
            }
            case STANDING_RESERVATION -> {
                state.quarantine.put(quarantine);
                notice(quarantine, "rsv", "no instance of it is made before the next policy version");
            }
            case REQUEST -> {
                if (state.domain.requests.ids().contains(id)) {
                    state.quarantine.put(quarantine);
                }
                notice(quarantine, "scheduler", "it is refused");
            }
            case PLUGIN_QUESTION -> {
                PluginRequests.setAside(state, id);
                notice(quarantine, "job", "LASTAVAILABLE is used instead");
            }
            case TRIGGER -> {
                state.quarantine.put(quarantine);
                notice(quarantine, "scheduler", "it does not fire before the next policy version");
            }
            case POLICY -> {
                DomainState.PendingPolicy next = state.domain.nextPolicy;
                if (next != null && next.version().equals(id)) {
                    state.domain.nextPolicy = null;
                }
                notice(quarantine, "scheduler", "the version before it stays in force");
            }
            case CLUSTER -> {
                state.quarantine.put(quarantine);
                state.domain.standing = state.domain.standing.halted(
                        SchedulerStatus.State.SUSPENDED,
                        quarantine.getTime().getEpochSecond(),
                        "the scheduler, which fails: " + quarantine.getCause() + ": " + quarantine.getMessage());
                notice(quarantine, "scheduler", "scheduling is suspended until somebody resumes it");
            }
            case UNKNOWN -> {
                // Refused by the check.
            }
        }
    }

    /**
     * Releases the reservations that were set aside since the last iteration, as of that one. Not before: what is gone
     * cannot be published by a scheduler that was rebuilt in between.
     */
    public static void release(ClusterState state) {
        for (Quarantine quarantine : state.quarantine.all()) {
            if (quarantine.getKind() == QuarantineKind.RESERVATION) {
                AdministrativeReservation reservation = state.administrativeReservations.get(quarantine.getId());
                if (reservation != null) {
                    state.remove(reservation, Math.floorDiv(state.domain.nowMillis, 1000L));
                }
                state.quarantine.remove(QuarantineKind.RESERVATION, quarantine.getId());
            }
        }
    }

    private void job(Quarantine quarantine) {
        Job job = state.jobs.get(quarantine.getId());
        if (job != null && !job.finished()) {
            state.quarantine.put(quarantine);
            JobEdit edit = job.edit().withdrawn(SET_ASIDE).message(why(quarantine));
            state.emit(job.active() ? edit : edit.hold(Hold.SYSTEM));
        }
        notice(quarantine, "job", "release its system hold once that is mended");
    }

    /** A node that jobs run on keeps them. */
    private void node(Quarantine quarantine) {
        state.quarantine.put(quarantine);
        Node node = state.nodes.get(quarantine.getId());
        if (node != null) {
            state.emit(node.setAside(why(quarantine)));
        }
        notice(quarantine, "node", "it takes no jobs before another build runs");
    }

    private void lift(Quarantine quarantine) {
        String id = quarantine.getId();
        if (!state.quarantine.has(quarantine.getKind(), id)) {
            return;
        }
        state.quarantine.remove(quarantine.getKind(), id);
        Job job = state.jobs.get(id);
        Node node = state.nodes.get(id);
        if (quarantine.getKind() == QuarantineKind.JOB && job != null) {
            state.emit(job.edit().withdrawn(SET_ASIDE).release(Hold.SYSTEM));
        } else if (quarantine.getKind() == QuarantineKind.NODE && node != null) {
            state.domain.askForEverything(node.connector());
        } else if (quarantine.getKind() == QuarantineKind.CLUSTER
                && state.domain.standing.state() == SchedulerStatus.State.SUSPENDED) {
            state.domain.standing = state.domain.standing.resumed();
            state.replan();
        }
        state.domain.notice(
                Severity.INFO,
                EVENT,
                "scheduler",
                id,
                name(quarantine.getKind()) + " " + id + " no longer set aside: " + quarantine.getMessage());
    }

    private void notice(Quarantine quarantine, String type, String consequence) {
        String id = quarantine.getId();
        state.domain.notice(
                Severity.ERROR,
                EVENT,
                type,
                id,
                name(quarantine.getKind()) + " " + id + " " + why(quarantine) + "; " + consequence);
    }

    private static String name(QuarantineKind kind) {
        return switch (kind) {
            case INPUT -> "input";
            case JOB -> "job";
            case NODE -> "node";
            case RESERVATION -> "reservation";
            case STANDING_RESERVATION -> "standing reservation";
            case REQUEST -> "request";
            case PLUGIN_QUESTION -> "plug-in question of job";
            case TRIGGER -> "trigger";
            case POLICY -> "policy version";
            case CLUSTER -> "cluster";
            case UNKNOWN -> "object";
        };
    }
}
