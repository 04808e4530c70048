package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.StreamHarness.Committed;
import io.weir.schemas.QuarantineKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A task whose core fails on certain objects, and what Kafka Streams does about it: after each failure everything is
 * thrown back to the last commit, the stream starts anew, and what came since is delivered again.
 */
final class TroubledStream implements AutoCloseable {
    private static final int MOST_RESTARTS = 50;

    final StreamHarness harness;
    private final List<ConsumerRecord<byte[], byte[]>> sinceCommit = new ArrayList<>();
    private Committed committed;
    private int restarts;

    /** Fails with {@code failure} on what is {@code cursed}. */
    TroubledStream(
            ClockMode clock, BiPredicate<QuarantineKind, String> cursed, Supplier<? extends RuntimeException> failure) {
        this(clock, cluster -> FaultyScheduler.of(cluster, cursed, failure));
    }

    TroubledStream(ClockMode clock, java.util.function.Function<String, ClusterScheduler> cores) {
        harness = new StreamHarness(StreamHarness.settings(clock, false), cores);
        committed = harness.committed();
    }

    /** Delivers a record, beginning again after each failure that asks for it. */
    void deliver(ConsumerRecord<byte[], byte[]> record) {
        sinceCommit.add(record);
        attempt(() -> harness.deliver(record));
    }

    /** Moves the clock, beginning again after each failure that asks for it. */
    void advance(Duration by) {
        attempt(() -> harness.advance(by));
    }

    /** Commits the transaction. */
    void commit() {
        committed = harness.committed();
        sinceCommit.clear();
    }

    /** Returns how often the stream was started anew. */
    int restarts() {
        return restarts;
    }

    private void attempt(Runnable work) {
        Runnable next = work;
        while (next != null) {
            try {
                next.run();
                next = null;
            } catch (StreamRestartException e) {
                if (++restarts > MOST_RESTARTS) {
                    throw e;
                }
                harness.abort(committed);
                next = () -> List.copyOf(sinceCommit).forEach(harness::deliver);
            }
        }
    }

    @Override
    public void close() {
        harness.close();
    }
}
