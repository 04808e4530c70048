package io.weir.scheduler.query.request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** How a {@link RequestClient} waits, and where its reader runs. Thread-safe. */
public interface RequestClientThreads {

    /** Returns a monotonic time, in nanoseconds. */
    long nanos();

    /** Waits for about that long. */
    void pause(Duration duration);

    /** Runs {@code body} apart from the caller, until it returns or the process ends. */
    void start(String name, Runnable body);

    /** Returns what {@code awaited} completes with; gives up after {@code patience}. */
    <T> T await(CompletableFuture<T> awaited, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException;
}
