package io.weir.rm.slurm.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers of slurmrestd that are fetched before they are asked for, several at a time: of each one most of the time is spent on
 * the way between slurmrestd, munge and slurmctld. An answer is given once, and not when it is old. One calling thread.
 */
final class ReadAhead implements AutoCloseable {
    /** So many connections are open at a time: Weir's unit gives slurmrestd as many threads. */
    private static final int CONNECTIONS = 3;

    /** What an answer that came longer ago says may have changed since. */
    private static final Duration FRESH = Duration.ofMillis(200);

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final RestTransport transport;
    private final LongSupplier nanos;
    private final ThreadPoolExecutor connections;
    private final Map<String, Future<Answer>> asked = new HashMap<>();

    ReadAhead(RestTransport transport, LongSupplier nanos) {
        this.transport = transport;
        this.nanos = nanos;
        this.connections = new ThreadPoolExecutor(
                CONNECTIONS,
                CONNECTIONS,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                ReadAhead::thread);
        connections.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "slurm-read-ahead");
        thread.setDaemon(true);
        return thread;
    }

    /** Asks for what is not asked for yet. */
    void ask(Collection<String> targets, Duration limit) {
        for (String target : targets) {
            asked.computeIfAbsent(
                    target,
                    unasked -> connections.submit(
                            () -> new Answer(transport.send("GET", target, null, limit), nanos.getAsLong())));
        }
    }

    /**
     * Returns the answer to what was asked for, waiting for it if need be; empty when it was not, or came long ago.
     *
     * @throws IOException if none came
     */
    Optional<RestTransport.Reply> take(String target) throws IOException {
        @Nullable Future<Answer> there = asked.remove(target);
        if (there == null) {
            return Optional.empty();
        }
        try {
            Answer answer = there.get();
            return nanos.getAsLong() - answer.cameAt() > FRESH.toNanos()
                    ? Optional.empty()
                    : Optional.of(answer.reply());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Whatever was asked for is not to be given any more: it may be about to change. */
    void forget() {
        asked.values().forEach(one -> one.cancel(true));
        asked.clear();
    }

    @Override
    public void close() {
        forget();
        connections.shutdownNow();
    }

    private record Answer(RestTransport.Reply reply, long cameAt) {}
}
