package io.weir.rm.nativerm;

import io.weir.rm.spi.SteadyTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The resource manager's clock, in whole seconds: this machine's, moved by what the resource manager said about its own.
 * It does not go back by a little. One thread.
 */
final class RmClock {
    private static final Logger log = LoggerFactory.getLogger(RmClock.class);

    /** What the resource manager says of its time may be as old as a slow answer. */
    private static final Duration LITTLE = Duration.ofSeconds(10);

    private final InstantSource wall;
    private Duration ahead = Duration.ZERO;
    private final SteadyTime time =
            new SteadyTime(LITTLE, back -> log.warn("the clock of the resource manager went back by {}", back));

    RmClock(InstantSource wall) {
        this.wall = wall;
    }

    /** Takes note that the resource manager's clock shows {@code time}. */
    void set(Instant time) {
        Duration told = Duration.between(wall.instant().truncatedTo(ChronoUnit.SECONDS), time);
        // A second more or less is the time the answer took, not a clock that is wrong.
        ahead = told.abs().compareTo(Duration.ofSeconds(1)) <= 0 ? Duration.ZERO : told;
    }

    Instant now() {
        return time.at(wall.instant().plus(ahead));
    }
}
