package io.weir.scheduler.query.image;

import io.weir.service.http.HttpRefusal;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The image as of now for whoever asks: what is read has everything committed before the question; where that cannot be
 * had, the question is refused for the time being, never answered with less. One thread follows the topics, from the first
 * question on, so that a service nobody asks reads nothing; all questions that wait share its next look. When it dies or
 * stalls, another one takes its place and reads everything anew. Thread-safe.
 */
public final class LiveImage implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveImage.class);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long CLOSE_MILLIS = 3_000;
    private static final long RETRY_SECONDS = 5;

    private final Supplier<ClusterImageFeed> source;
    private final Timing timing;
    private final ImageHealth health;

    /** Guards what follows. */
    private final Object lock = new Object();

    private @Nullable Follower follower;
    private @Nullable Thread supervisor;

    /** Questions asked so far; and how many of them the image was caught up for. */
    private long asked;

    private long served;

    /** Since when a question waits, by the nanosecond clock; 0 when none does. */
    private long waitingSince;

    private boolean closed;

    /**
     * How long things take.
     *
     * @param follow between looks at the topics while nobody asks
     * @param patience how long a question waits for the image
     * @param stall how long one look may take before its thread is given up
     * @param pause before the first attempt after a failure; doubled with each up to {@code longestPause}
     * @param longestPause longest of these
     * @param rebuild after so long without a look that succeeded the image is made anew: deletions may be gone
     */
    record Timing(
            Duration follow,
            Duration patience,
            Duration stall,
            Duration pause,
            Duration longestPause,
            Duration rebuild) {
        static final Timing USUAL = new Timing(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(3),
                Duration.ofMillis(200),
                Duration.ofSeconds(15),
                Duration.ofHours(1));
    }

    public LiveImage(Supplier<ClusterImageFeed> source, ImageHealth health) {
        this(source, health, Timing.USUAL);
    }

    public LiveImage(Supplier<ClusterImageFeed> source, ImageHealth health, Timing timing) {
        this.source = source;
        this.health = health;
        this.timing = timing;
    }

    /**
     * Answers a question; the image must not be kept. Waits until the image is up to date.
     *
     * @throws HttpRefusal with status 503 when it is not within a limit
     */
    public <T> T read(Function<ClusterImage, T> question) {
        return upToDate().look(question);
    }

    private ClusterImageFeed upToDate() {
        synchronized (lock) {
            start();
            long now = System.nanoTime();
            long mine = ++asked;
            if (waitingSince == 0) {
                waitingSince = now;
            }
            // Whoever comes while others have waited in vain is told at once: they hold threads.
            long deadline = Math.min(now, waitingSince) + timing.patience().toNanos();
            lock.notifyAll();
            while (true) {
                ClusterImageFeed feed = follower == null ? null : follower.feed;
                if (closed) {
                    throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "The service is stopping");
                } else if (feed != null && served >= mine) {
                    return feed;
                }
                long left = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
                if (left <= 0) {
                    throw HttpRefusal.later(HttpRefusal.UNAVAILABLE, health.excuse(), RETRY_SECONDS);
                }
                pause(left);
            }
        }
    }

    private void start() {
        if (supervisor == null && !closed) {
            supervisor = daemon("api-image-supervisor", this::supervise);
            follower = new Follower();
        }
    }

    /** Replaces a follower that died or stalls. */
    private void supervise() {
        synchronized (lock) {
            while (!closed) {
                Follower current = follower;
                if (current == null || !current.thread.isAlive() || current.isStalled()) {
                    log.warn("The image's follower {}; another one begins", current == null ? "is missing" : current);
                    health.restarted();
                    if (current != null) {
                        current.giveUp();
                    }
                    follower = new Follower();
                }
                pause(timing.follow().toMillis());
            }
        }
    }

    /** Waits on the lock, perhaps for less: who calls it looks again at what it waits for. */
    @SuppressWarnings("WaitNotInLoop")
    private void pause(long millis) {
        try {
            lock.wait(Math.max(1, millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HttpRefusal(HttpRefusal.UNAVAILABLE, "The service is stopping");
        }
    }

    @Override
    public void close() {
        Follower last;
        synchronized (lock) {
            closed = true;
            last = follower;
            lock.notifyAll();
        }
        if (last != null) {
            last.end();
        }
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** One thread that keeps one image after the other up to date until it is replaced. */
    private final class Follower {
        /** Caught up at least once; guarded by the lock. */
        private @Nullable ClusterImageFeed feed;

        private volatile @Nullable ClusterImageFeed open;
        private volatile long lookSince;
        private final Thread thread = daemon("api-image", this::run);

        boolean isStalled() {
            long since = lookSince;
            return since != 0 && System.nanoTime() - since > timing.stall().toNanos();
        }

        private boolean isCurrent() {
            synchronized (lock) {
                return !closed && (follower == this || follower == null);
            }
        }

        private void run() {
            Duration pause = timing.pause();
            while (isCurrent()) {
                try (ClusterImageFeed opened = source.get()) {
                    open = opened;
                    follow(opened);
                } catch (WakeupException e) {
                    return;
                } catch (RuntimeException e) {
                    health.failed(e);
                    log.warn("The image is read anew: {}", e.toString());
                } finally {
                    synchronized (lock) {
                        feed = null;
                    }
                    open = null;
                    lookSince = 0;
                }
                pause = rest(pause);
            }
        }

        /** Looks again and again, until another feed is needed. */
        private void follow(ClusterImageFeed opened) {
            Duration pause = timing.pause();
            long lastLook = System.nanoTime();
            while (isCurrent()) {
                long upTo = nextQuestion();
                try {
                    lookSince = System.nanoTime();
                    opened.catchUp();
                    lastLook = System.nanoTime();
                    caughtUp(opened, upTo);
                    pause = timing.pause();
                } catch (RetriableException e) {
                    health.failed(e);
                    if (System.nanoTime() - lastLook > timing.rebuild().toNanos()) {
                        throw e;
                    }
                    pause = rest(pause);
                } finally {
                    lookSince = 0;
                }
            }
        }

        /** Waits for a question, or until it is time for a look without one; returns how many have been asked. */
        private long nextQuestion() {
            synchronized (lock) {
                if (asked == served && !closed && feed != null) {
                    pause(timing.follow().toMillis());
                }
                return asked;
            }
        }

        private void caughtUp(ClusterImageFeed opened, long upTo) {
            synchronized (lock) {
                if (follower == this) {
                    feed = opened;
                    served = upTo;
                    waitingSince = asked > served ? System.nanoTime() : 0;
                    health.caughtUp();
                    lock.notifyAll();
                }
            }
        }

        /** Waits before another attempt; returns how long to wait before the one after it. */
        private Duration rest(Duration pause) {
            synchronized (lock) {
                long until = System.nanoTime() + pause.toNanos();
                long left = pause.toMillis();
                while (!closed && left > 0) {
                    pause(left);
                    left = (until - System.nanoTime()) / NANOS_PER_MILLI;
                }
            }
            Duration longer = pause.multipliedBy(2);
            return longer.compareTo(timing.longestPause()) > 0 ? timing.longestPause() : longer;
        }

        void giveUp() {
            thread.interrupt();
        }

        void end() {
            ClusterImageFeed current = open;
            if (current != null) {
                current.wakeUp();
            }
            try {
                thread.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public String toString() {
            return isStalled() ? "stalls" : "died";
        }
    }
}
