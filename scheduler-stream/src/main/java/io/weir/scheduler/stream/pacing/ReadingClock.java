package io.weir.scheduler.stream.pacing;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Goes like this machine's clock, but stands still during iterations: then nothing is read, and that nothing came says
 * nothing. Owned by the stream thread.
 */
public final class ReadingClock {
    private final Supplier<Instant> system;
    private final LongSupplier spent;
    /** The system's time when it was last looked at. */
    private Instant last;
    /** Nanoseconds spent by then. */
    private long lastSpent;
    /** How far this clock is behind the system's. */
    private Duration behind = Duration.ZERO;

    /**
     * Creates a clock.
     *
     * @param system this machine's time; may stand still within a unit of work and catch up with the next
     * @param spent nanoseconds spent in iterations so far
     */
    public ReadingClock(Supplier<Instant> system, LongSupplier spent) {
        this.system = system;
        this.spent = spent;
        last = system.get();
        lastSpent = spent.getAsLong();
    }

    /** Returns the time; it goes back only when the system's is set back. */
    public Instant now() {
        Instant at = system.get();
        long passed = Duration.between(last, at).toNanos();
        if (passed != 0) {
            long stoodStill = Math.max(0, Math.min(passed, spent.getAsLong() - lastSpent));
            lastSpent += stoodStill;
            behind = behind.plusNanos(stoodStill);
            last = at;
        }
        return at.minus(behind);
    }
}
