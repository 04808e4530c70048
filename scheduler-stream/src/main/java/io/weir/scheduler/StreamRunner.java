package io.weir.scheduler;

import io.weir.service.BrokerTrouble;
import io.weir.service.Readiness;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the stream running: when a thread of it dies and the policy allows, the whole stream is closed and made anew.
 * (Replacing the thread alone would leave its static membership behind, and the partitions with nobody until the session
 * times out.) An orderly stop leaves the group when there is another instance, which takes over at once; a lone instance
 * stays a member, and a restart of it goes on at once. {@link #start} and {@link #close} may be called from any thread;
 * restarts happen on one of its own.
 */
final class StreamRunner implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamRunner.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Who is refused a login is refused it at once, and the next one most probably, too. */
    private static final Duration LOGIN_PAUSE = Duration.ofSeconds(5);

    private final Supplier<KafkaStreams> factory;
    private final FailurePolicy policy;
    private final Readiness.Condition running;
    private final Consumer<Throwable> fail;
    private final Duration drainLimit;
    private final StreamGroup group;
    private final ExecutorService upkeep = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "stream-upkeep");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable KafkaStreams current;
    private boolean closed;
    private Runnable stopped = () -> {};

    /**
     * Creates a runner.
     *
     * @param factory makes a stream, not started
     * @param running is told whether the stream runs
     * @param fail ends the service
     * @param drainLimit how long {@link #close} waits for work in progress
     * @param group the instances; closed with this object
     */
    StreamRunner(
            Supplier<KafkaStreams> factory,
            FailurePolicy policy,
            Readiness.Condition running,
            Consumer<Throwable> fail,
            Duration drainLimit,
            StreamGroup group) {
        this.factory = factory;
        this.policy = policy;
        this.running = running;
        this.fail = fail;
        this.drainLimit = drainLimit;
        this.group = group;
    }

    /** Has {@code work} done after a stop in good order, which has stored the state. */
    synchronized void onStopped(Runnable work) {
        stopped = work;
    }

    /**
     * Starts the stream. What is stored on this machine is opened at once, not only by a thread of the stream.
     *
     * @throws RuntimeException when that fails, with what to do
     */
    synchronized void start() {
        if (closed) {
            return;
        }
        try {
            startNow();
        } catch (RuntimeException e) {
            throw FailurePolicy.withRemedy(e);
        }
    }

    private synchronized void startNow() {
        KafkaStreams streams = factory.get();
        streams.setUncaughtExceptionHandler(failure -> handle(streams, failure));
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING) {
                running.met();
            } else {
                running.unmet("stream is " + now);
            }
            if (now == KafkaStreams.State.REBALANCING) {
                submit(group::endAbandonedTransactions);
            }
        });
        current = streams;
        streams.start();
    }

    /** Returns the partitions of the inputs that this instance takes in: none while the stream does not run, as while it restores. */
    Set<TopicPartition> inputs() {
        KafkaStreams streams;
        synchronized (this) {
            streams = current;
        }
        if (streams == null || streams.state() != KafkaStreams.State.RUNNING) {
            return Set.of();
        }
        return streams.metadataForLocalThreads().stream()
                .flatMap(thread -> thread.activeTasks().stream())
                .flatMap(task -> task.topicPartitions().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Says whether the stream runs, with what it keeps restored. */
    synchronized boolean isRunning() {
        return current != null && current.state() == KafkaStreams.State.RUNNING;
    }

    private StreamThreadExceptionResponse handle(KafkaStreams streams, Throwable failure) {
        Optional<Throwable> end = policy.judge(failure);
        if (end.isPresent()) {
            fail.accept(end.get());
        } else {
            tell(failure);
            submit(() -> restart(streams, failure));
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private static void tell(Throwable failure) {
        if (FailurePolicy.isRefusedLogin(failure)) {
            log.warn(
                    "The stream failed; it starts again from the last commit in {} s: {}",
                    LOGIN_PAUSE.toSeconds(),
                    BrokerTrouble.describe(failure));
        } else {
            log.warn("The stream failed; it starts again from the last commit", failure);
        }
    }

    private void submit(Runnable work) {
        try {
            upkeep.execute(work);
        } catch (RejectedExecutionException e) {
            log.debug("The service is closing; the stream stays as it is");
        }
    }

    private void restart(KafkaStreams failed, Throwable failure) {
        if (!isCurrent(failed)) {
            return;
        }
        try {
            Thread.sleep((FailurePolicy.isRefusedLogin(failure) ? LOGIN_PAUSE : PAUSE).toMillis());
            if (new StreamStop(failed::close, () -> !isCurrent(failed)).await(failure)) {
                start();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            fail.accept(e);
        }
    }

    private synchronized boolean isCurrent(KafkaStreams streams) {
        return !closed && current == streams;
    }

    @Override
    public void close() {
        KafkaStreams streams;
        Runnable then;
        synchronized (this) {
            closed = true;
            streams = current;
            then = stopped;
        }
        upkeep.shutdownNow();
        try (group) {
            if (streams != null) {
                boolean running = streams.state() == KafkaStreams.State.RUNNING;
                boolean ended =
                        streams.close(CloseOptions.timeout(drainLimit).withGroupMembershipOperation(membership()));
                if (running && ended) {
                    then.run();
                }
            }
        }
    }

    private GroupMembershipOperation membership() {
        try {
            return group.hasOthers() ? GroupMembershipOperation.LEAVE_GROUP : GroupMembershipOperation.REMAIN_IN_GROUP;
        } catch (KafkaException e) {
            log.warn("Leaving the group: whether there is another instance is not known", e);
            return GroupMembershipOperation.LEAVE_GROUP;
        }
    }
}
