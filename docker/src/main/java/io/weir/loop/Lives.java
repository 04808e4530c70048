package io.weir.loop;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.stream.StreamMetrics;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Lives many lives, some at the same time; each is as it would be alone. Close it to end its threads. */
public final class Lives implements AutoCloseable {
    /** How long a life is troubled unless told otherwise. */
    public static final long TROUBLED_MILLIS = 12_000;

    static final String REGISTRY_SCOPE = "loop";

    /** A registry in this process that all lives share; its ids do not depend on them. */
    static final Map<String, String> REGISTRY = Map.of("schema.registry.url", "mock://" + REGISTRY_SCOPE);

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "loop");
        thread.setDaemon(true);
        return thread;
    });
    private final Shared shared =
            new Shared(threads, new AvroCodec(Site.NAMES, REGISTRY), new StreamMetrics(new SimpleMeterRegistry()));
    private final Set<Protection> without;

    /**
     * What lives have in common because it is dear to make and of no account.
     *
     * @param threads where actors run
     * @param codec knows a registry that is always there
     * @param metrics counts for nobody
     */
    record Shared(ExecutorService threads, AvroCodec codec, StreamMetrics metrics) {}

    /** Lives go {@code without} these protections. */
    public Lives(Set<Protection> without) {
        this.without = without;
        List<Topic<?>> written = new ArrayList<>(Topics.all());
        written.add(IntakeRecords.QUARANTINE);
        shared.codec().prepare(written);
    }

    /** Lives one life. */
    public Outcome live(LifePlan plan, boolean traced) {
        return new Life(plan, without, traced, shared).live();
    }

    /**
     * Lives the lives of {@code count} seeds from {@code first} on, {@code atOnce} at a time, and tells {@code each} of
     * every one as it ends, one after the other; stops early when {@code each} says so.
     */
    public void live(long first, long count, long troubledMillis, int atOnce, Watcher each)
            throws InterruptedException {
        AtomicLong next = new AtomicLong(first);
        AtomicLong stop = new AtomicLong(first + count);
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < atOnce; i++) {
            workers.add(threads.submit(() -> {
                for (long seed = next.getAndIncrement(); seed < stop.get(); seed = next.getAndIncrement()) {
                    Outcome outcome = live(LifePlan.of(seed, troubledMillis), false);
                    synchronized (each) {
                        if (!each.seen(outcome)) {
                            stop.set(0);
                        }
                    }
                }
            }));
        }
        for (Future<?> worker : workers) {
            try {
                worker.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("A life could not be lived: " + e.getCause(), e.getCause());
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        shared.codec().close();
    }

    /** Is told of lives. */
    @FunctionalInterface
    public interface Watcher {
        /** A life is over; returns whether to go on. */
        boolean seen(Outcome outcome);
    }
}
