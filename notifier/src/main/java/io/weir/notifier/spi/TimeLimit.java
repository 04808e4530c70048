package io.weir.notifier.spi;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes a connection when its time is over, whatever is done on it then. A socket's own timeout begins anew with each octet
 * that comes, and none ends a write.
 */
public final class TimeLimit implements AutoCloseable {

    private final CompletableFuture<Void> end;

    /** Set before the connection is closed, so that whoever finds it closed knows why. */
    private final AtomicBoolean over;

    private TimeLimit(CompletableFuture<Void> end, AtomicBoolean over) {
        this.end = end;
        this.over = over;
    }

    /** Begins the time of {@code connection}. */
    public static TimeLimit of(Closeable connection, Duration time) {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                () -> {
                    over.set(true);
                    try {
                        connection.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS));
        return new TimeLimit(end, over);
    }

    /** Says whether the time was over before all was done. */
    public boolean isOver() {
        return over.get();
    }

    /** The connection has served. */
    @Override
    public void close() {
        end.cancel(false);
    }
}
