package io.weir.scheduler.query;

import io.weir.service.http.HttpRefusal;
import io.weir.service.http.HttpReply;
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
 * so that no number of waiting requests keeps anyone from reading. A caller has only some of either, and those without a
 * token have threads of their own to read. What finds no place is refused. Thread-safe.
 */
final class ApiThreads implements AutoCloseable {
    private static final int READERS = 8;
    private static final int READING_QUEUE = 512;
    private static final int MOST_WAITING = 64;
    private static final int MOST_WAITING_OF_ONE = 16;

    /** Requests of all callers without a token. */
    private static final int MOST_WAITING_ANONYMOUS = 48;

    private static final String WAITING = "requests waiting for the scheduler";
    private static final int IDLE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final ReaderShares readers = new ReaderShares(READERS, READING_QUEUE, this::thread);
    private final ReaderShares anonymousReaders = new ReaderShares(READERS, READING_QUEUE, this::thread);
    private final ThreadPoolExecutor writers = new ThreadPoolExecutor(
            0, MOST_WAITING, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);

    private final FairPlaces waiting = new FairPlaces(MOST_WAITING, MOST_WAITING_OF_ONE, WAITING);
    private final FairPlaces anonymousWaiting = new FairPlaces(MOST_WAITING_ANONYMOUS, MOST_WAITING_OF_ONE, WAITING);

    /** Answers a question of {@code caller} about the image. */
    CompletionStage<HttpReply> read(Caller caller, Supplier<HttpReply> answer) {
        return (caller.isAnonymous() ? anonymousReaders : readers).read(caller, answer);
    }

    /** Answers a request that {@code caller} has the scheduler carry out. */
    CompletionStage<HttpReply> write(Caller caller, Supplier<HttpReply> answer) {
        FairPlaces places = caller.isAnonymous() ? anonymousWaiting : waiting;
        places.take(caller);
        try {
            return CompletableFuture.supplyAsync(answer, writers)
                    .whenComplete((reply, failure) -> places.leave(caller));
        } catch (RejectedExecutionException e) {
            places.leave(caller);
            throw HttpRefusal.later(
                    HttpRefusal.UNAVAILABLE,
                    writers.isShutdown() ? "The service is stopping" : "Too much is being asked at a time",
                    1);
        }
    }

    /** Takes nothing more in and interrupts whoever waits for the scheduler; they are told that the service is stopping. */
    @Override
    public void close() {
        readers.close();
        anonymousReaders.close();
        writers.shutdownNow();
    }

    private Thread thread(Runnable task) {
        Thread thread = new Thread(task, "api-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
