package io.weir.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when a stream thread dies: its transaction is aborted, so another thread may take up the work where the
 * last commit left it. That helps when something was away; it does not when the same input fails again and again, so too
 * many deaths in a row stop the service, as does a lost position or a missing right. Thread-safe.
 */
final class ThreadFailures implements StreamsUncaughtExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ThreadFailures.class);
    private static final int MOST = 5;
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final Consumer<Throwable> stop;
    private final Deque<Instant> recent = new ArrayDeque<>();

    /** Creates the policy; {@code stop} ends the service. */
    ThreadFailures(InstantSource clock, Consumer<Throwable> stop) {
        this.clock = clock;
        this.stop = stop;
    }

    @Override
    public synchronized StreamThreadExceptionResponse handle(Throwable failure) {
        if (causedBy(failure, InvalidOffsetException.class)) {
            return stop(new IllegalStateException(
                    "A position of the scheduler points outside its topic: records were deleted before they were read,"
                            + " or the topic was made anew. Restore the topic, or move the position with"
                            + " kafka-consumer-groups.sh --reset-offsets knowing what is skipped",
                    failure));
        }
        if (causedBy(failure, AuthorizationException.class)) {
            return stop(failure);
        }
        Instant now = clock.instant();
        recent.addLast(now);
        while (recent.peekFirst() != null && recent.peekFirst().isBefore(now.minus(WINDOW))) {
            recent.removeFirst();
        }
        if (recent.size() > MOST && !causedBy(failure, RetriableException.class)) {
            return stop(failure);
        }
        log.error("A stream thread died; another takes up its work from the last commit", failure);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private StreamThreadExceptionResponse stop(Throwable failure) {
        stop.accept(failure);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
