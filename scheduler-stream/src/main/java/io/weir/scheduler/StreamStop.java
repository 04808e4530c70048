package io.weir.scheduler;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until a stream that failed has stopped. A broker that does not answer may hold its threads for minutes, and
 * until they have ended they keep the lock of the state directory: a new stream would find it taken.
 */
final class StreamStop {
    private static final Logger log = LoggerFactory.getLogger(StreamStop.class);
    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final int MOST_ATTEMPTS = 20;

    private final Predicate<Duration> close;
    private final BooleanSupplier abandoned;

    /**
     * Creates a stop.
     *
     * @param close closes the stream within a time; says whether it has stopped
     * @param abandoned says that nobody waits for the end any more, as the service itself stops
     */
    StreamStop(Predicate<Duration> close, BooleanSupplier abandoned) {
        this.close = close;
        this.abandoned = abandoned;
    }

    /**
     * Returns true when the stream has stopped, false when the wait was abandoned.
     *
     * @param failure what ended the stream
     * @throws IllegalStateException when the stream does not stop at all
     */
    boolean await(Throwable failure) {
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            if (abandoned.getAsBoolean()) {
                return false;
            }
            if (close.test(ATTEMPT)) {
                return true;
            }
            log.warn(
                    "The stream that failed has not stopped yet; it starts again once it has: seconds={}",
                    ATTEMPT.multipliedBy(attempt).toSeconds());
        }
        throw new IllegalStateException(
                "The stream that failed has not stopped within "
                        + ATTEMPT.multipliedBy(MOST_ATTEMPTS).toMinutes()
                        + " min and holds its state, so that it cannot start again in this process; see whether the"
                        + " broker answers and the disk of state.dir works, then start the service again",
                failure);
    }
}
