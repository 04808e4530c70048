package io.weir.scheduler.core.policy;

/**
 * Something wrong with a line of the configuration; the rest of it applies all the same.
 *
 * @param level how bad it is
 * @param line line number, from 1
 * @param parameter parameter as written, with its index
 * @param message value, reason and what to write instead
 */
public record PolicyProblem(Level level, int line, String parameter, String message) {
    /** How bad a problem is. */
    public enum Level {
        /** The setting keeps its previous or default value. */
        ERROR,
        /** Ignored or doubtful. */
        WARNING
    }

    @Override
    public String toString() {
        return level + " line " + line + ": " + parameter + ": " + message;
    }
}
