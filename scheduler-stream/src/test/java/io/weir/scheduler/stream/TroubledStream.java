package io.weir.scheduler.stream;

import io.weir.scheduler.audit.AuditReplayer;
import io.weir.scheduler.audit.AuditReport;
import io.weir.scheduler.audit.InputReader;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.FaultyScheduler;
import io.weir.scheduler.stream.StreamHarness.Committed;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.schemas.QuarantineKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
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
    private int takeOvers;

    /** Fails with {@code failure} on what is {@code cursed}. */
    TroubledStream(ClockMode clock, BiPredicate<QuarantineKind, String> cursed, Supplier<? extends Throwable> failure) {
        this(clock, cluster -> FaultyScheduler.of(cluster, cursed, failure));
    }

    TroubledStream(ClockMode clock, Function<String, ClusterScheduler> cores) {
        this(clock, cores, new OutputLimits());
    }

    TroubledStream(ClockMode clock, Function<String, ClusterScheduler> cores, OutputLimits limits) {
        harness = new StreamHarness(StreamHarness.settings(clock, false), cores, limits);
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

    /** From now on the next {@code times} failures end the process, and another one takes over. */
    void takeOver(int times) {
        takeOvers = times;
    }

    /** Commits the transaction. */
    void commit() {
        committed = harness.committed();
        sinceCommit.clear();
    }

    /** Folds the journal with a core that has no fault and compares everything it gave. */
    AuditReport audit() {
        return new AuditReplayer(
                        harness.log,
                        StreamHarness.NAMES,
                        new InputReader(Optional.of(harness.codec)),
                        1,
                        (cluster, number, share) -> {})
                .verify();
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
                if (takeOvers > 0) {
                    takeOvers--;
                    harness.takeOver();
                }
                next = () -> List.copyOf(sinceCommit).forEach(harness::deliver);
            }
        }
    }

    @Override
    public void close() {
        harness.close();
    }
}
