package io.weir.scheduler.audit;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of its own makes ahead of whoever takes it, in order. So many wait at most; then the thread waits. What it
 * throws, whoever takes next is thrown. One thread takes.
 *
 * @param <T> what is made
 */
final class Ahead<T> implements AutoCloseable {
    private static final int MOST_WAITING = 512;
    private static final long LOOK_MILLIS = 100;

    private final BlockingQueue<Made<T>> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Thread thread;
    private volatile boolean closed;
    private @Nullable Made<T> last;

    /** Starts thread {@code name}, which makes what {@code source} returns, until that is null. */
    Ahead(String name, Supplier<@Nullable T> source) {
        thread = new Thread(() -> make(source), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void make(Supplier<@Nullable T> source) {
        try {
            boolean more = true;
            while (more && !closed) {
                T value = source.get();
                more = value != null;
                offer(new Made<>(value, null));
            }
        } catch (RuntimeException | Error e) {
            offer(new Made<>(null, e));
        }
    }

    private void offer(Made<T> made) {
        try {
            boolean done = false;
            while (!done && !closed) {
                done = waiting.offer(made, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Returns what comes next, and waits for it; null at the end, and when this is closed meanwhile. */
    @Nullable
    T next() {
        Made<T> made = last;
        try {
            while (made == null && !closed) {
                made = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
        if (made == null) {
            return null;
        }
        if (made.failure() instanceof RuntimeException failure) {
            throw failure;
        }
        if (made.failure() instanceof Error failure) {
            throw failure;
        }
        if (made.value() == null) {
            last = made;
        }
        return made.value();
    }

    /** Stops the thread after what it is making, and waits for that. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One of them, the end when there is neither, or a failure. */
    private record Made<T>(@Nullable T value, @Nullable Throwable failure) {}
}
