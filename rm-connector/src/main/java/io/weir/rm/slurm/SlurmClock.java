package io.weir.rm.slurm;

import io.weir.rm.slurm.client.SlurmRest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The controller's clock, kept by this host's and compared now and then. A difference of a second is not seen, for
 * Slurm tells whole seconds. It never goes back. One thread.
 */
final class SlurmClock {
    private static final Duration COMPARE_EVERY = Duration.ofMinutes(1);

    private final InstantSource local;
    private Duration ahead = Duration.ZERO;
    private Instant compared = Instant.MIN;
    private Instant last = Instant.EPOCH;

    SlurmClock(InstantSource local) {
        this.local = local;
    }

    /** Compares with the controller's clock, if that was long ago. */
    void compare(SlurmRest rest) {
        Instant now = local.instant();
        if (compared.equals(Instant.MIN)
                || Duration.between(compared, now).abs().compareTo(COMPARE_EVERY) > 0) {
            Duration difference = Duration.between(local.instant().truncatedTo(ChronoUnit.SECONDS), rest.clock());
            ahead = difference.abs().toSeconds() <= 1 ? Duration.ZERO : difference;
            compared = now;
        }
    }

    /** Returns the time in whole seconds. */
    Instant now() {
        Instant now = local.instant().plus(ahead).truncatedTo(ChronoUnit.SECONDS);
        last = now.isAfter(last) ? now : last;
        return last;
    }
}
