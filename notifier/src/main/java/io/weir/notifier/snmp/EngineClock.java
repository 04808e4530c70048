package io.weir.notifier.snmp;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The age of the sending engine, which receivers of version 3 compare with what they saw before: what is younger than that, they
 * drop without a word. It is told by the seconds of the clock, so that it grows from session to session and from process to
 * process, and goes on when the clock is set back. It is used up in 2038: the time since then counts from there on. Thread-safe.
 */
final class EngineClock {

    /** The largest number of boots means that an engine can send no more. */
    private static final int MOST_BOOTS = Integer.MAX_VALUE - 1;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final InstantSource clock;
    private final LongSupplier nanos;
    private long seconds;
    private long readAt;

    /**
     * How old the engine is.
     *
     * @param boots how often it was started
     * @param time seconds since then
     */
    record Age(int boots, int time) {}

    /** Goes by {@code clock}; while that was set back, by {@code nanos}, a monotonic clock. */
    EngineClock(InstantSource clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        this.readAt = nanos.getAsLong();
    }

    /** Returns how old it is by now; never less than before. */
    synchronized Age age() {
        long now = nanos.getAsLong();
        long passed = (now - readAt) / NANOS_PER_SECOND;
        readAt += passed * NANOS_PER_SECOND;
        seconds = Math.max(clock.instant().getEpochSecond(), seconds + passed);
        return new Age((int) Math.min(seconds, MOST_BOOTS), (int)
                Math.min(Math.max(0, seconds - MOST_BOOTS), Integer.MAX_VALUE));
    }
}
