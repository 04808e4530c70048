package io.weir.scheduler.core.policy.language;

/**
 * Something to know about a line of the configuration; the rest of it applies all the same.
 *
 * @param kind what it is about
 * @param origin where
 * @param parameter parameter as written, with its index, and the attribute where there is one
 * @param message value, reason and what to write instead
 */
public record PolicyProblem(Kind kind, Origin origin, String parameter, String message) {
    /** How bad a problem is. */
    public enum Level {
        /** The setting keeps its previous or default value. */
        ERROR,
        /** Ignored or doubtful. */
        WARNING,
        /** Worth knowing. */
        INFO
    }

    /** What a problem is about. */
    public enum Kind {
        /** The value is not legal; the setting keeps its previous or default value. */
        BAD_VALUE(Level.ERROR),
        /** No such parameter or attribute; ignored. */
        UNKNOWN(Level.WARNING),
        /** Accepted under an old name. */
        DEPRECATED(Level.WARNING),
        /** Legal, but probably not what was meant. */
        DOUBTFUL(Level.WARNING),
        /** Legal and kept; another service reads it, from a file of its own. */
        ELSEWHERE(Level.INFO),
        /** Legal and kept; nothing reads it yet. */
        NO_EFFECT(Level.INFO);

        private final Level level;

        Kind(Level level) {
            this.level = level;
        }
    }

    /** Returns how bad it is. */
    public Level level() {
        return kind.level;
    }

    /** Returns whether what it is about is not in force. */
    public boolean leavesOut() {
        return kind == Kind.BAD_VALUE || kind == Kind.UNKNOWN;
    }

    @Override
    public String toString() {
        return level() + " " + origin + ": " + parameter + ": " + message;
    }
}
