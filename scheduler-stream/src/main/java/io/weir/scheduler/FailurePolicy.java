package io.weir.scheduler;

import io.weir.scheduler.stream.MissingStateException;
import io.weir.scheduler.stream.StreamRestartException;
import io.weir.scheduler.stream.UnlistedClusterException;
import io.weir.scheduler.stream.store.UnreadableStateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ProcessorStateException;

/**
 * Says whether a stream that failed may start again. Its transaction is aborted, so a new start goes on from the last
 * commit; that helps when something was away or a login is refused, not when the same input fails again and again. So too
 * many failures in a row end the service, as does a lost position, a missing right, state that this build cannot read or that is of
 * a cluster not listed, or another instance of the same name. Thread-safe.
 */
final class FailurePolicy {
    private static final int MOST = 5;
    private static final Duration WINDOW = Duration.ofMinutes(2);

    private final InstantSource clock;
    private final String instanceId;
    private final Deque<Instant> recent = new ArrayDeque<>();

    FailurePolicy(InstantSource clock, String instanceId) {
        this.clock = clock;
        this.instanceId = instanceId;
    }

    /** Returns why the service has to end because of {@code failure}; empty when the stream may start again. */
    synchronized Optional<Throwable> judge(Throwable failure) {
        if (isCausedBy(failure, InvalidOffsetException.class)) {
            return Optional.of(new IllegalStateException(
                    "A position of the scheduler points outside its topic. If records were deleted before they were read,"
                            + " move the position to the oldest one with kafka-consumer-groups.sh --reset-offsets, knowing"
                            + " what is skipped. If the topic was made anew, restore it, or begin anew with another"
                            + " topics.prefix and application.id: its records would be taken for those taken in before",
                    failure));
        }
        if (isCausedBy(failure, FencedInstanceIdException.class)) {
            return Optional.of(new IllegalStateException(
                    "Another scheduler has joined with the same instance.id '" + instanceId
                            + "' and goes on in place of this one; every instance needs an instance.id of its own",
                    failure));
        }
        if (isCausedBy(failure, AuthorizationException.class)
                || isCausedBy(failure, UnreadableStateException.class)
                || isCausedBy(failure, UnlistedClusterException.class)
                || isCausedBy(failure, MissingStateException.class)) {
            return Optional.of(failure);
        }
        if (isCausedBy(failure, StreamRestartException.class)
                || isCausedBy(failure, RetriableException.class)
                || isRefusedLogin(failure)) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        recent.addLast(now);
        while (recent.getFirst().isBefore(now.minus(WINDOW))) {
            recent.removeFirst();
        }
        if (recent.size() <= MOST) {
            return Optional.empty();
        }
        return Optional.of(failure instanceof RuntimeException unchecked ? withRemedy(unchecked) : failure);
    }

    /** Returns whether brokers took the login before and refuse it now: it is waited for, as they are when they are away. */
    static boolean isRefusedLogin(Throwable failure) {
        return isCausedBy(failure, AuthenticationException.class);
    }

    /** Returns {@code failure}, or what to do about it where the state on this machine is what fails. */
    static RuntimeException withRemedy(RuntimeException failure) {
        if (isCausedBy(failure, ProcessorStateException.class)) {
            return new IllegalStateException(
                    "The state on this machine cannot be opened, read or written. See that the file system of state.dir is"
                            + " sound, can be written and has room. If it is, files of the state are damaged: remove the"
                            + " directory named after application.id in state.dir and start again; the state is built anew"
                            + " from its topics, and nothing is lost",
                    failure);
        }
        return failure;
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
