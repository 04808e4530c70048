package io.weir.scheduler.stream;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Gives the instant an iteration decides for. It never goes back, and under the wall clock it never runs more than a set
 * skew ahead of what the resource managers last said. Stateless.
 */
final class DomainClock {
    private final ClockMode mode;
    private final Duration maxSkew;

    DomainClock(ClockMode mode, Duration maxSkew) {
        this.mode = mode;
        this.maxSkew = maxSkew;
    }

    ClockMode mode() {
        return mode;
    }

    /**
     * Returns the instant of an iteration.
     *
     * @param system this machine's time
     * @param rmTime the last complete heartbeat's; null before the first
     * @param last the last iteration's; null before the first
     */
    Instant now(Instant system, @Nullable Instant rmTime, @Nullable Instant last) {
        Instant now = told(system, rmTime);
        return last != null && now.isBefore(last) ? last : now;
    }

    /**
     * Returns what the clocks say, which may be before the last iteration.
     *
     * @param system this machine's time
     * @param rmTime the last complete heartbeat's; null before the first
     */
    Instant told(Instant system, @Nullable Instant rmTime) {
        return switch (mode) {
            case RM -> rmTime == null ? Instant.EPOCH : rmTime;
            case WALL -> rmTime == null ? system : earlier(system, rmTime.plus(maxSkew));
        };
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
