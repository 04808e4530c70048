package io.weir.rm.slurm;

import io.weir.rm.slurm.client.SlurmRest;
import io.weir.rm.spi.ClockDifference;
import io.weir.rm.spi.SteadyTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller's clock, kept by this host's and compared now and then. A difference of a second is not seen, for
 * Slurm tells whole seconds. It does not go back by a little. One thread.
 */
final class SlurmClock {
    private static final Logger log = LoggerFactory.getLogger(SlurmClock.class);

    private static final Duration COMPARE_EVERY = Duration.ofMinutes(1);

    /** Less than how far changes are looked for before the last look, or some would not be seen. */
    private static final Duration LITTLE = Duration.ofSeconds(2);

    private final InstantSource local;
    private Duration ahead = Duration.ZERO;
    private Instant compared = Instant.MIN;
    private final SteadyTime time =
            new SteadyTime(LITTLE, back -> log.warn("the clock of slurmctld went back by {}", back));

    SlurmClock(InstantSource local) {
        this.local = local;
    }

    /** Compares with the controller's clock, if that was long ago. */
    void compare(SlurmRest rest) {
        Instant now = local.instant();
        if (compared.equals(Instant.MIN)
                || Duration.between(compared, now).abs().compareTo(COMPARE_EVERY) > 0) {
            ahead = ClockDifference.of(now, rest.clock(), local.instant());
            compared = now;
        }
    }

    /** Returns the time in whole seconds. */
    Instant now() {
        return time.at(local.instant().plus(ahead));
    }
}
