package io.weir.scheduler.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of its own makes ahead of whoever takes it, in order and in batches, as handing over one by one costs more than
 * what is made. So many wait at most; then the thread waits. What it throws, whoever takes next is thrown. One thread takes.
 *
 * @param <T> what is made
 */
final class Ahead<T> implements AutoCloseable {
    private static final int BATCH = 32;
    private static final int BATCHES_WAITING = 15;
    private static final long LOOK_MILLIS = 100;

    private final BlockingQueue<Batch<T>> waiting = new ArrayBlockingQueue<>(BATCHES_WAITING);
    private final Thread thread;
    private volatile boolean closed;
    private @Nullable Batch<T> present;
    private int taken;

    /** Starts thread {@code name}, which makes what {@code source} returns, until that is null. */
    Ahead(String name, Supplier<@Nullable T> source) {
        thread = new Thread(() -> make(source), name);
        thread.setDaemon(true);
        thread.start();
    }

    private void make(Supplier<@Nullable T> source) {
        List<T> made = new ArrayList<>(BATCH);
        try {
            for (T value = source.get(); value != null && !closed; value = source.get()) {
                made.add(value);
                if (made.size() == BATCH) {
                    offer(new Batch<>(made, false, null));
                    made = new ArrayList<>(BATCH);
                }
            }
            offer(new Batch<>(made, true, null));
        } catch (RuntimeException | Error e) {
            offer(new Batch<>(made, true, e));
        }
    }

    private void offer(Batch<T> made) {
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
        Batch<T> batch = batch();
        if (batch == null) {
            return null;
        }
        if (taken < batch.made().size()) {
            return batch.made().get(taken++);
        }
        if (batch.failure() instanceof RuntimeException failure) {
            throw failure;
        }
        if (batch.failure() instanceof Error failure) {
            throw failure;
        }
        return null;
    }

    /** Returns the batch the next comes from, or the last; null when this is closed. */
    private @Nullable Batch<T> batch() {
        Batch<T> batch = present;
        try {
            while (!closed && (batch == null || (taken == batch.made().size() && !batch.last()))) {
                batch = waiting.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                taken = 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
        present = batch;
        return closed ? null : batch;
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

    /** Some in order; nothing comes behind the last but what was thrown. */
    private record Batch<T>(
            List<T> made, boolean last, @Nullable Throwable failure) {}
}
