package io.weir.scheduler;

import io.weir.scheduler.stream.StreamRestartException;
import io.weir.scheduler.stream.UnreadableStateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Says whether a stream that failed may start again. Its transaction is aborted, so a new start goes on from the last
 * commit; that helps when something was away, not when the same input fails again and again. So too many failures in a
 * row end the service, as does a lost position, a missing right, or state that this build cannot read. Thread-safe.
 */
final class FailurePolicy {
    private static final int MOST = 5;
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final Deque<Instant> recent = new ArrayDeque<>();

    FailurePolicy(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns why the service has to end because of {@code failure}; empty when the stream may start again. */
    synchronized Optional<Throwable> judge(Throwable failure) {
        if (isCausedBy(failure, InvalidOffsetException.class)) {
            return Optional.of(new IllegalStateException(
                    "A position of the scheduler points outside its topic: records were deleted before they were read,"
                            + " or the topic was made anew. Restore the topic, or move the position with"
                            + " kafka-consumer-groups.sh --reset-offsets knowing what is skipped",
                    failure));
        }
        if (isCausedBy(failure, AuthorizationException.class) || isCausedBy(failure, UnreadableStateException.class)) {
            return Optional.of(failure);
        }
        if (isCausedBy(failure, StreamRestartException.class) || isCausedBy(failure, RetriableException.class)) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        recent.addLast(now);
        while (recent.getFirst().isBefore(now.minus(WINDOW))) {
            recent.removeFirst();
        }
        return recent.size() > MOST ? Optional.of(failure) : Optional.empty();
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
