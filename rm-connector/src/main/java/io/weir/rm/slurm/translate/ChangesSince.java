package io.weir.rm.slurm.translate;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** From when on Slurm is asked for what changed. One thread. */
final class ChangesSince {
    /** How far to look back beyond the last look: the clocks are compared in whole seconds. */
    static final Duration OVERLAP = Duration.ofSeconds(3);

    private @Nullable Instant last;

    /** Returns the time from which on changes are wanted; null for all there is, as when the clock went back meanwhile. */
    @Nullable
    Instant at(Instant now) {
        return last == null || last.isAfter(now.minus(OVERLAP)) ? null : last;
    }

    /** Notes that what changed until {@code now} was told. */
    void told(Instant now) {
        last = now.minus(OVERLAP);
    }

    /** Has all there is told the next time. */
    void forget() {
        last = null;
    }
}
