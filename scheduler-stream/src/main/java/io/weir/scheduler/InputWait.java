package io.weir.scheduler;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a thread of the stream waits for input before it looks at the clock again. As long as it reads or writes
 * anything, as Kafka Streams asks: what is put off is due within milliseconds. A thread that has done neither for a while
 * waits longer, since looking hundreds of times a second costs a twentieth of a processor; input ends its wait at once, and
 * what is due by the clock is late by no more than that wait. Owned by that thread.
 */
final class InputWait {
    /** The wait of a thread at rest. */
    static final Duration AT_REST = Duration.ofMillis(20);

    /** A thread that has read and written nothing for so long is at rest. */
    static final Duration CALM = Duration.ofMillis(20);

    private final LongSupplier nanos;
    private long stirred;

    /** Creates the wait of a thread that has just begun, by the clock {@code nanos}, as {@link System#nanoTime}. */
    InputWait(LongSupplier nanos) {
        this.nanos = nanos;
        stirred = nanos.getAsLong();
    }

    /** Notes that the thread has read or written something. */
    void stir() {
        stirred = nanos.getAsLong();
    }

    /** Returns how long to wait where Kafka Streams would wait for {@code asked}. It waits for nothing while it restores. */
    Duration of(Duration asked) {
        boolean calm = nanos.getAsLong() - stirred >= CALM.toNanos();
        return calm && !asked.isZero() && asked.compareTo(AT_REST) < 0 ? AT_REST : asked;
    }
}
