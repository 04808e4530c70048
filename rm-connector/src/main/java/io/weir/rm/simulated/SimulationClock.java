package io.weir.rm.simulated;

import java.util.function.LongSupplier;

/**
 * Where a simulation running along the wall clock has come to: simulated seconds since {@code start}, {@code scale} of
 * them per second. Reads a monotonic source, so the wall clock may be set meanwhile.
 */
final class SimulationClock {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long start;
    private final double scale;
    private final LongSupplier nanos;
    private final long startNanos;

    /**
     * Starts the clock.
     *
     * @param start simulated second it begins with
     * @param scale simulated seconds per second
     * @param nanos monotonic nanoseconds
     */
    SimulationClock(long start, double scale, LongSupplier nanos) {
        this.start = start;
        this.scale = scale;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
    }

    /** Returns the simulated second. */
    long now() {
        return start + (long) ((nanos.getAsLong() - startNanos) / NANOS_PER_SECOND * scale);
    }
}
