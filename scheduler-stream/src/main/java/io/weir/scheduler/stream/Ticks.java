package io.weir.scheduler.stream;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ticks of a task, by this machine's clock. Kafka Streams fixes the instant of the next one by that clock; when the clock
 * is set back, none would come until it has caught up. So whoever sees the time looks after them. Owned by the stream thread.
 */
final class Ticks {
    private static final Logger log = LoggerFactory.getLogger(Ticks.class);

    private final ProcessorContext<byte[], byte[]> context;
    private final Duration interval;
    private final Runnable action;
    private @Nullable Cancellable scheduled;
    /** Wall clock, in milliseconds: when the last tick came, or the ticks began. */
    private long last;

    /** Creates ticks that call {@code action} once in an {@code interval}; they begin with {@link #start}. */
    Ticks(ProcessorContext<byte[], byte[]> context, Duration interval, Runnable action) {
        this.context = context;
        this.interval = interval;
        this.action = action;
    }

    /** Begins, or begins anew. */
    void start() {
        stop();
        last = context.currentSystemTimeMs();
        scheduled = context.schedule(interval, PunctuationType.WALL_CLOCK_TIME, at -> {
            last = at;
            action.run();
        });
    }

    /** Begins anew when the clock has been set back since the last tick. */
    void watchClock() {
        long now = context.currentSystemTimeMs();
        if (now < last) {
            log.warn("This machine's clock was set back: millis={}", last - now);
            start();
        }
    }

    void stop() {
        if (scheduled != null) {
            scheduled.cancel();
            scheduled = null;
        }
    }
}
