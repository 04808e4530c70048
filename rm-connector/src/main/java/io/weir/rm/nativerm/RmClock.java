package io.weir.rm.nativerm;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The resource manager's clock, in whole seconds: this machine's, moved by what the resource manager said about its own.
 * Never goes back. One thread.
 */
final class RmClock {
    private final InstantSource wall;
    private Duration ahead = Duration.ZERO;
    private Instant last = Instant.EPOCH;

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
        Instant now = wall.instant().plus(ahead).truncatedTo(ChronoUnit.SECONDS);
        if (now.isAfter(last)) {
            last = now;
        }
        return last;
    }
}
