package io.weir.rm.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How far another clock is ahead of this machine's. */
public final class ClockDifference {
    /** A second more or less is how whole seconds are told, not a clock that is wrong. */
    private static final Duration NONE = Duration.ofSeconds(1);

    private ClockDifference() {}

    /**
     * Returns by how much a clock is ahead that showed {@code told} at some time between the question and the answer; zero if it
     * may be right.
     */
    public static Duration of(Instant asked, Instant told, Instant answered) {
        Duration behind = Duration.between(told, asked.truncatedTo(ChronoUnit.SECONDS));
        Duration ahead = Duration.between(answered.truncatedTo(ChronoUnit.SECONDS), told);
        if (behind.compareTo(NONE) > 0) {
            return behind.negated();
        }
        return ahead.compareTo(NONE) > 0 ? ahead : Duration.ZERO;
    }
}
