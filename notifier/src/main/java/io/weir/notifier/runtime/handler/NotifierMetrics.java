package io.weir.notifier.runtime.handler;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weir.notifier.spi.DeliveryException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The notifier's own metrics; their names begin with {@code weir.notifier}. Thread-safe. */
public final class NotifierMetrics {

    private final MeterRegistry registry;

    public NotifierMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Counts a record that no channel can deliver. */
    void unusable(String code) {
        Counter.builder("weir.notifier.unusable")
                .description("Records that no channel can deliver, by cause")
                .tag("cause", code)
                .register(registry)
                .increment();
    }

    /** Counts a firing that was answered. */
    void acted(String type, String outcome) {
        Counter.builder("weir.notifier.actions")
                .description("Trigger firings that were answered, by action type and outcome")
                .tag("type", type)
                .tag("outcome", outcome)
                .register(registry)
                .increment();
    }

    /** Returns the metrics of {@code channel}. */
    public OfChannel of(String channel) {
        return new OfChannel(registry, channel);
    }

    /** What is measured per channel; used by the channel's thread. */
    static final class OfChannel {

        private final Timer attempts;
        private final Counter delivered;
        private final Counter dead;
        private final Counter failures;
        private final AtomicInteger failuresInARow = new AtomicInteger();

        private OfChannel(MeterRegistry registry, String channel) {
            attempts = Timer.builder("weir.notifier.attempt")
                    .description("Duration of attempts to deliver, whatever their outcome")
                    .tag("channel", channel)
                    .register(registry);
            delivered = settled(registry, channel, "delivered");
            dead = settled(registry, channel, "dead");
            failures = Counter.builder("weir.notifier.failed.attempts")
                    .description("Attempts that failed and are tried again")
                    .tag("channel", channel)
                    .register(registry);
            Gauge.builder("weir.notifier.failures.in.a.row", failuresInARow, AtomicInteger::get)
                    .description("Attempts that failed since the channel last delivered")
                    .tag("channel", channel)
                    .register(registry);
        }

        private static Counter settled(MeterRegistry registry, String channel, String outcome) {
            return Counter.builder("weir.notifier.settled")
                    .description("Deliveries that are done with, by outcome")
                    .tag("channel", channel)
                    .tag("outcome", outcome)
                    .register(registry);
        }

        /** Makes {@code attempt} and measures how long it takes, also when it fails. */
        <T> T timed(Attempt<T> attempt) throws DeliveryException, InterruptedException {
            long start = System.nanoTime();
            try {
                return attempt.make();
            } finally {
                attempts.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
            }
        }

        void delivered() {
            delivered.increment();
            failuresInARow.set(0);
        }

        void attemptFailed() {
            failures.increment();
            failuresInARow.incrementAndGet();
        }

        void givenUp() {
            dead.increment();
            failuresInARow.incrementAndGet();
        }
    }

    /** One attempt to deliver. */
    interface Attempt<T> {
        T make() throws DeliveryException, InterruptedException;
    }
}
