package io.weir.rm.spi;

import io.weir.schemas.CommandKind;
import java.util.Optional;

/** What a command asks of a node. The other kinds of command are about a job, a reservation or the cluster. */
public enum NodeOrder {
    /** It takes no more jobs; those that run there end as they would. */
    DRAIN,
    /** It goes back into service. */
    RESUME,
    /** It is changed as the arguments of the command say. */
    MODIFY;

    /** Returns what that kind of command asks of a node; empty when it is not about one. */
    public static Optional<NodeOrder> of(CommandKind kind) {
        return switch (kind) {
            case DRAIN_NODE -> Optional.of(DRAIN);
            case RESUME_NODE -> Optional.of(RESUME);
            case MODIFY_NODE -> Optional.of(MODIFY);
            case UNKNOWN,
                    START_JOB,
                    CANCEL_JOB,
                    REQUEUE_JOB,
                    HOLD_JOB,
                    RELEASE_JOB,
                    SUSPEND_JOB,
                    RESUME_JOB,
                    FULL_POLL,
                    MODIFY_JOB,
                    ADD_NODES,
                    REMOVE_NODES,
                    CREATE_RESERVATION,
                    RELEASE_RESERVATION,
                    SIGNAL_JOB -> Optional.empty();
        };
    }

    /**
     * Returns what that kind of command asks of a node.
     *
     * @throws IllegalArgumentException in words for people, when it is not about a node
     */
    public static NodeOrder require(CommandKind kind) {
        return of(kind).orElseThrow(() -> new IllegalArgumentException(kind + " is not about a node"));
    }
}
