package io.weir.notifier.runtime.handler;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** Says until when the next delivery of a channel has to wait, and counts those that went out. Used by one thread. */
final class RateWindow {

    private final Pace pace;
    private final Clock clock;
    private Instant begin = Instant.EPOCH;
    private int spoken;

    RateWindow(Pace pace, Clock clock) {
        this.pace = pace;
        this.clock = clock;
    }

    /** Returns until when something new is held back; empty when it goes out at once. */
    Optional<Instant> holdUntil() {
        Instant now = clock.instant();
        Optional<Instant> quiet = quietUntil();
        if (quiet.isPresent()) {
            return quiet;
        }
        if (!pace.collect().isZero()) {
            return Optional.of(now.plus(pace.collect()));
        }
        return fullUntil();
    }

    /** Returns until when as many went out as may; empty when another may. A clock that was put back ends the wait. */
    Optional<Instant> fullUntil() {
        Instant now = clock.instant();
        boolean within = !now.isBefore(begin) && now.isBefore(begin.plus(pace.period()));
        return pace.most() > 0 && spoken >= pace.most() && within
                ? Optional.of(begin.plus(pace.period()))
                : Optional.empty();
    }

    /** Returns the end of the quiet hours, in which even a full digest and a retry wait; empty outside them. */
    Optional<Instant> quietUntil() {
        return pace.quiet().flatMap(hours -> hours.end(clock.instant()));
    }

    /** Returns until when what was held back or tried before has to wait; empty when it goes out at once. */
    Optional<Instant> silentUntil() {
        return quietUntil().or(this::fullUntil);
    }

    /** How many a digest holds at most. */
    int largest() {
        return pace.largest();
    }

    /** Counts a delivery that went out. */
    void spoke() {
        Instant now = clock.instant();
        if (!now.isBefore(begin.plus(pace.period())) || now.isBefore(begin)) {
            begin = now;
            spoken = 0;
        }
        spoken++;
    }
}
