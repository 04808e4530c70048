package io.weir.scheduler.stream.pacing;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Since when inputs of one partition wait without a break: more comes than is taken in, or the scheduler catches up with
 * what came while it was away. What is over within seconds is part of life; what lasts is said in the log, once, and again
 * when it is over. Noted by the stream thread, read by any.
 */
public final class Overload {
    private static final Logger log = LoggerFactory.getLogger(Overload.class);

    /** How long inputs may wait before anybody is told. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final int partition;
    private final LongSupplier nanos;

    /** When inputs began to wait; null while none does. */
    private volatile @Nullable Long since;

    private boolean told;
    private int most;

    /** Creates the watch over {@code partition}; {@code nanos} is elapsed time in nanoseconds, from any beginning. */
    public Overload(int partition, LongSupplier nanos) {
        this.partition = partition;
        this.nanos = nanos;
    }

    /** Notes that {@code inputs} have been read and not taken in. */
    public void note(int inputs) {
        Long began = since;
        if (inputs == 0) {
            if (told) {
                log.info(
                        "Inputs are taken in as they come again: partition={} seconds={} most={}",
                        partition,
                        lasts().toSeconds(),
                        most);
            }
            since = null;
            told = false;
            most = 0;
            return;
        }
        most = Math.max(most, inputs);
        if (began == null) {
            since = nanos.getAsLong();
        } else if (!told && lasts().compareTo(PATIENCE) >= 0) {
            told = true;
            log.warn(
                    "Inputs wait, starts are late: more comes than can be taken in, or much came while the scheduler was"
                            + " away: partition={} waiting={} seconds={}",
                    partition,
                    inputs,
                    lasts().toSeconds());
        }
    }

    /** Returns for how long inputs have waited without a break. */
    public Duration lasts() {
        Long began = since;
        return began == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - began);
    }

    /** Returns whether the log says so. */
    boolean told() {
        return told;
    }
}
