package io.weir.rm.spi;

import org.jspecify.annotations.Nullable;

/**
 * What is true of a command that may have been executed before.
 *
 * @param verdict whether it was
 * @param answer the answer it had; present with ANSWERED only
 * @param ongoing what to look at next; present with ONGOING only
 */
public record CommandCheck(
        Verdict verdict,
        @Nullable RmAnswer answer,
        @Nullable Ongoing ongoing) {

    /** Whether a command was carried out. */
    public enum Verdict {
        /** It was: the answer is known, repeating it is forbidden. */
        ANSWERED,
        /** It was not: it may be executed. */
        NOT_DONE,
        /** It was begun, or that cannot be told yet: a later look will tell. */
        ONGOING,
        /** The resource manager keeps no trace of command ids: the state of the job has to tell. */
        UNKNOWN
    }

    private static final CommandCheck NOT_DONE = new CommandCheck(Verdict.NOT_DONE, null, null);
    private static final CommandCheck UNKNOWN = new CommandCheck(Verdict.UNKNOWN, null, null);

    public CommandCheck {
        if ((verdict == Verdict.ANSWERED) != (answer != null) || (verdict == Verdict.ONGOING) != (ongoing != null)) {
            throw new IllegalArgumentException("verdict " + verdict + " with answer " + answer + " and " + ongoing);
        }
    }

    /** The command was carried out with this answer. */
    public static CommandCheck answered(RmAnswer answer) {
        return new CommandCheck(Verdict.ANSWERED, answer, null);
    }

    /** The command was not carried out. */
    public static CommandCheck notDone() {
        return NOT_DONE;
    }

    /** It will be known when {@code ongoing} is looked at. */
    public static CommandCheck ongoing(Ongoing ongoing) {
        return new CommandCheck(Verdict.ONGOING, null, ongoing);
    }

    /** The resource manager cannot tell. */
    public static CommandCheck unknown() {
        return UNKNOWN;
    }

    /** Returns what is true of a command right after it was executed. */
    public static CommandCheck of(Execution execution) {
        // An expression with patterns has to wait for a later Java.
        if (execution instanceof RmAnswer answer) {
            return answered(answer);
        }
        return ongoing((Ongoing) execution);
    }
}
