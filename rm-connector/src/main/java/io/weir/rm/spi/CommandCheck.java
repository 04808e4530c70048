package io.weir.rm.spi;

import org.jspecify.annotations.Nullable;

/**
 * What is true of a command that may have been executed before.
 *
 * @param verdict whether it was
 * @param answer the answer it had; present with ANSWERED only
 */
public record CommandCheck(Verdict verdict, @Nullable RmAnswer answer) {

    /** Whether a command was carried out. */
    public enum Verdict {
        /** It was: the answer is known, repeating it is forbidden. */
        ANSWERED,
        /** It was not: it may be executed. */
        NOT_DONE,
        /** The resource manager keeps no trace of command ids: the state of the job has to tell. */
        UNKNOWN
    }

    private static final CommandCheck NOT_DONE = new CommandCheck(Verdict.NOT_DONE, null);
    private static final CommandCheck UNKNOWN = new CommandCheck(Verdict.UNKNOWN, null);

    public CommandCheck {
        if ((verdict == Verdict.ANSWERED) != (answer != null)) {
            throw new IllegalArgumentException("verdict " + verdict + " with answer " + answer);
        }
    }

    /** The command was carried out with this answer. */
    public static CommandCheck answered(RmAnswer answer) {
        return new CommandCheck(Verdict.ANSWERED, answer);
    }

    /** The command was not carried out. */
    public static CommandCheck notDone() {
        return NOT_DONE;
    }

    /** The resource manager cannot tell. */
    public static CommandCheck unknown() {
        return UNKNOWN;
    }
}
