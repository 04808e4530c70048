package io.weir.scheduler.query;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The image as of now for whoever asks: what is read has everything committed before the question. The topics are opened
 * at the first question, so that a service nobody asks reads nothing, and followed from then on. Thread-safe; one reader
 * at a time.
 */
final class LiveImage implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveImage.class);
    private static final Duration FOLLOW_EVERY = Duration.ofSeconds(1);

    private final Supplier<ClusterImageFeed> source;
    private final ScheduledExecutorService follower = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "api-image");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable ClusterImageFeed feed;
    private @Nullable Future<?> following;
    private boolean closed;

    LiveImage(Supplier<ClusterImageFeed> source) {
        this.source = source;
    }

    /** Answers a question; the image must not be kept. */
    synchronized <T> T read(Function<ClusterImage, T> question) {
        if (closed) {
            throw new IllegalStateException("The service is stopping");
        }
        ClusterImageFeed open = feed;
        if (open == null) {
            open = source.get();
            feed = open;
            following = follower.scheduleWithFixedDelay(
                    this::follow, FOLLOW_EVERY.toMillis(), FOLLOW_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
        return question.apply(open.catchUp());
    }

    /** Keeps the next answer quick; one that fails is told by the next question. */
    private synchronized void follow() {
        if (feed != null && !closed) {
            try {
                feed.catchUp();
            } catch (KafkaException e) {
                log.warn("Cannot follow the state topics: {}", e.toString());
            }
        }
    }

    @Override
    public void close() {
        follower.shutdownNow();
        synchronized (this) {
            closed = true;
            if (following != null) {
                following.cancel(false);
            }
            if (feed != null) {
                feed.close();
                feed = null;
            }
        }
    }
}
