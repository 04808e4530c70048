package io.weir.scheduler.query;

import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The threads that answers are made on: some that read the image, and apart from them those that wait for the scheduler,
 * so that no number of waiting requests keeps anyone from reading. A principal has only some of either. What finds no
 * place is refused. Thread-safe.
 */
final class ApiThreads implements AutoCloseable {
    private static final int READERS = 8;
    private static final int READING_QUEUE = 512;
    private static final int MOST_WAITING = 64;
    private static final int MOST_WAITING_OF_ONE = 16;
    private static final int IDLE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final ReaderShares readers = new ReaderShares(READERS, READING_QUEUE, this::thread);
    private final ThreadPoolExecutor writers = new ThreadPoolExecutor(
            0, MOST_WAITING, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    /** Requests under way by principal. Guarded by itself. */
    private final Map<String, Integer> waiting = new HashMap<>();

    /** Answers a question of {@code principal} about the image. */
    CompletionStage<HttpReply> read(Principal principal, Supplier<HttpReply> answer) {
        return readers.read(principal.name(), answer);
    }

    /** Answers a request that {@code principal} has the scheduler carry out. */
    CompletionStage<HttpReply> write(Principal principal, Supplier<HttpReply> answer) {
        synchronized (waiting) {
            int now = waiting.getOrDefault(principal.name(), 0);
            if (now >= MOST_WAITING_OF_ONE) {
                throw HttpRefusal.later(
                        HttpRefusal.TOO_MANY,
                        principal.name() + " has " + now + " requests waiting for the scheduler, which is the most",
                        1);
            }
            waiting.put(principal.name(), now + 1);
        }
        try {
            return CompletableFuture.supplyAsync(answer, writers).whenComplete((reply, failure) -> done(principal));
        } catch (RejectedExecutionException e) {
            done(principal);
            throw HttpRefusal.later(
                    HttpRefusal.UNAVAILABLE,
                    writers.isShutdown() ? "The service is stopping" : "Too much is being asked at a time",
                    1);
        }
    }

    private void done(Principal principal) {
        synchronized (waiting) {
            waiting.computeIfPresent(principal.name(), (name, now) -> now == 1 ? null : Integer.valueOf(now - 1));
        }
    }

    /** Takes nothing more in and interrupts whoever waits for the scheduler; they are told that the service is stopping. */
    @Override
    public void close() {
        readers.close();
        writers.shutdownNow();
    }

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "api-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
