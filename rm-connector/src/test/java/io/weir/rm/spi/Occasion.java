package io.weir.rm.spi;

import io.weir.schemas.CommandKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What there has to be for a command to find something to do. This is where the contract lists the kinds of commands. */
enum Occasion {
    WAITING_JOB,
    HELD_JOB,
    /** Any that has not ended. */
    JOB,
    RUNNING_JOB,
    SUSPENDED_JOB,
    /** One that runs on two nodes. */
    WIDE_JOB,
    NODE,
    DRAINED_NODE,
    NO_RESERVATION,
    RESERVATION,
    /** The command never gets to a resource manager. */
    NONE;

    static final Set<Occasion> ON_RUNNING_JOBS = EnumSet.of(RUNNING_JOB, SUSPENDED_JOB, WIDE_JOB);
    static final Set<Occasion> ON_NODES = EnumSet.of(NODE, DRAINED_NODE);
    static final Set<Occasion> ON_RESERVATIONS = EnumSet.of(NO_RESERVATION, RESERVATION);

    static final Set<Occasion> ON_JOBS_OR_NODES = EnumSet.complementOf(EnumSet.of(NO_RESERVATION, RESERVATION, NONE));

    static Occasion of(CommandKind kind) {
        return switch (kind) {
            case UNKNOWN, FULL_POLL -> NONE;
            case START_JOB, HOLD_JOB -> WAITING_JOB;
            case RELEASE_JOB -> HELD_JOB;
            case CANCEL_JOB, MODIFY_JOB -> JOB;
            case REQUEUE_JOB, SUSPEND_JOB, SIGNAL_JOB, ADD_NODES -> RUNNING_JOB;
            case RESUME_JOB -> SUSPENDED_JOB;
            case REMOVE_NODES -> WIDE_JOB;
            case DRAIN_NODE, MODIFY_NODE -> NODE;
            case RESUME_NODE -> DRAINED_NODE;
            case CREATE_RESERVATION -> NO_RESERVATION;
            case RELEASE_RESERVATION -> RESERVATION;
        };
    }

    /** Returns the kinds that find something to do on one of these occasions. */
    static List<CommandKind> kinds(Set<Occasion> occasions) {
        return Arrays.stream(CommandKind.values())
                .filter(kind -> occasions.contains(of(kind)))
                .toList();
    }
}
