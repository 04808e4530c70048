package io.weir.rm.runtime;

import java.time.Duration;

/**
 * Pauses between attempts: {@code first}, doubled every time up to {@code longest}. Without chance: one connector has
 * nobody to collide with. Immutable.
 *
 * @param first pause after the first failure, above zero
 * @param longest longest pause
 */
public record Backoff(Duration first, Duration longest) {

    /** A quarter of a second, doubled up to five: for so long jobs wait at most when what was away is there again. */
    public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));

    private static final int MOST_DOUBLINGS = 20;

    /** Returns the pause after {@code failures} failures in a row, at least 1. */
    public Duration pause(int failures) {
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
