package io.weir.scheduler.query;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * How much this process logs of itself, as a number from 0 to 9 as LOGLEVEL has it: 0 errors, 1 also warnings, 2 to 4 also
 * what happens, 5 to 7 also details, 8 and 9 everything. What libraries log stays as it was set at the start.
 */
final class LogLevel {
    private static final String OURS = "io.weir";

    /** By number. */
    private static final List<Level> LEVELS = List.of(
            Level.ERROR,
            Level.WARN,
            Level.INFO,
            Level.INFO,
            Level.INFO,
            Level.DEBUG,
            Level.DEBUG,
            Level.DEBUG,
            Level.TRACE,
            Level.TRACE);

    /** The number that stands for information where none was set. */
    private static final int USUAL = 3;

    private LogLevel() {}

    /** Logs as much as {@code number} says, from now on; returns false when what logs here cannot be told. */
    static boolean set(int number) {
        Optional<Logger> ours = ours();
        ours.ifPresent(logger -> logger.setLevel(LEVELS.get(number)));
        return ours.isPresent();
    }

    /** Returns the number of what is logged; empty when what logs here cannot be asked. */
    static Optional<Integer> get() {
        return ours().map(logger -> number(logger.getEffectiveLevel()));
    }

    private static int number(Level level) {
        return level.equals(Level.INFO) ? USUAL : Math.max(0, LEVELS.indexOf(level));
    }

    private static Optional<Logger> ours() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? Optional.of(context.getLogger(OURS))
                : Optional.empty();
    }
}
