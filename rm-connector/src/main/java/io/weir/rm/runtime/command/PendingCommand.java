package io.weir.rm.runtime.command;

import io.weir.rm.spi.Ongoing;
import io.weir.schemas.RmCommand;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A command that is not answered yet. One thread.
 *
 * <pre>
 *             begin, no answer came           look, no answer came
 *   NEW ─────────────────────────► ASK ◄──────────────────────── ONGOING
 *    │ ▲                           │ │                            ▲ │ ▲ │ look
 *    │ └──────── not done ─────────┘ └───────── half done ────────┘ │ └─┘
 *    └───────────────────────── begun ──────────────────────────────┘
 * </pre>
 */
final class PendingCommand {
    /** By the instant to look again, which may only change while the command is in no such order; then by number. */
    static final Comparator<PendingCommand> BY_DUE =
            (a, b) -> a.due == b.due ? Long.compare(a.number(), b.number()) : Long.signum(a.due - b.due);

    private final RmCommand command;
    private boolean ask;
    private @Nullable Ongoing ongoing;

    /** When to look at {@link #ongoing}, in monotonic nanoseconds. */
    private long due;

    /** Creates a command to carry out; {@code ask} when that may have been done before. */
    PendingCommand(RmCommand command, boolean ask) {
        this.command = command;
        this.ask = ask;
    }

    RmCommand command() {
        return command;
    }

    long number() {
        return command.getNumber();
    }

    /** Returns what it is about; commands about the same are carried out one after the other. */
    String subject() {
        return command.getJobId() != null ? "job " + command.getJobId() : "object " + command.getObjectId();
    }

    /** Says whether it may have been carried out, so that the resource manager has to be asked first. */
    boolean isDoubtful() {
        return ask;
    }

    /** Its answer got lost, or may have. */
    void doubt() {
        ask = true;
        ongoing = null;
    }

    /** It is known not to have been carried out. */
    void clear() {
        ask = false;
        ongoing = null;
    }

    /** Returns what to look at; null when it was not begun. */
    @Nullable
    Ongoing ongoing() {
        return ongoing;
    }

    /** Has it looked at again after the pause that {@code begun} wants. */
    void await(Ongoing begun, long now) {
        ask = false;
        ongoing = begun;
        due = now + begun.pause().toNanos();
    }

    /** Returns when to look at it, in monotonic nanoseconds; without meaning when it was not begun. */
    long due() {
        return due;
    }
}
