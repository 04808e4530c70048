package io.weir.rm.nativerm;

import io.weir.rm.spi.ClockDifference;
import io.weir.rm.spi.SteadyTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource manager's clock, in whole seconds: this machine's, moved by what the resource manager said about its own.
 * It does not go back by a little. One thread.
 */
final class RmClock {
    private static final Logger log = LoggerFactory.getLogger(RmClock.class);

    /** Clocks that a network keeps together differ by less. */
    private static final Duration LITTLE = Duration.ofSeconds(10);

    private final InstantSource wall;
    private Duration ahead = Duration.ZERO;
    private final SteadyTime time =
            new SteadyTime(LITTLE, back -> log.warn("the clock of the resource manager went back by {}", back));

    RmClock(InstantSource wall) {
        this.wall = wall;
    }

    /** Returns what this machine's clock shows. */
    Instant wall() {
        return wall.instant();
    }

    /** Takes note that the resource manager's clock showed {@code time}, when asked at {@code asked} by this machine's. */
    void set(Instant asked, Instant time) {
        ahead = ClockDifference.of(asked, time, wall.instant());
    }

    Instant now() {
        return time.at(wall.instant().plus(ahead));
    }
}
