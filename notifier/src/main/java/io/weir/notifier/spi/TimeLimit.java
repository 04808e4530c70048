package io.weir.notifier.spi;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection when its time is over, whatever is done on it then. A socket's own timeout begins anew with each octet
 * that comes, and none ends a write.
 */
public final class TimeLimit implements AutoCloseable {

    private final CompletableFuture<Void> end;

    private TimeLimit(CompletableFuture<Void> end) {
        this.end = end;
    }

    /** Begins the time of {@code connection}. */
    public static TimeLimit of(Closeable connection, Duration time) {
        return new TimeLimit(CompletableFuture.runAsync(
                () -> {
                    try {
                        connection.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)));
    }

    /** Says whether the time was over before all was done. */
    public boolean isOver() {
        return end.isDone() && !end.isCancelled();
    }

    /** The connection has served. */
    @Override
    public void close() {
        end.cancel(false);
    }
}
