package io.weir.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether this machine's clock is set back while a service runs, as when it began with the time of a clock that kept local
 * time. Kafka's clients wait by that clock: a poll does not end, nothing is committed, no member is heard of and no broker is connected
 * to anew until it has caught up, and nobody says so. What is begun after the step goes by the new time; so the service is to
 * end, and to be started again. Looks on a thread of its own from {@link #start} to {@link #stop}.
 */
final class ClockWatch {

    private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** What the clock is set back by less is waited for: a new start would take as long. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final Consumer<IllegalStateException> end;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "clock-watch");

    /** The latest time that the clock has shown. */
    private Instant latest;

    /**
     * Makes a watch that does not look yet.
     *
     * @param end is told why the service has to end
     */
    ClockWatch(InstantSource clock, Consumer<IllegalStateException> end) {
        this.clock = clock;
        this.end = end;
        this.latest = clock.instant();
    }

    /** Starts to look at this machine's clock. */
    static ClockWatch start(Consumer<IllegalStateException> end) {
        ClockWatch watch = new ClockWatch(InstantSource.system(), end);
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Ends the looking. */
    void stop() throws InterruptedException {
        stopping.countDown();
        thread.join(CLOSE_LIMIT.toMillis());
    }

    private void run() {
        try {
            while (!stopping.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                Optional<IllegalStateException> why = look();
                if (why.isPresent()) {
                    end.accept(why.get());
                    return;
                }
            }
        } catch (InterruptedException e) {
            log.debug("stopped while it waited");
        }
    }

    /** Looks at the clock; returns why the service has to end, if it has. */
    Optional<IllegalStateException> look() {
        Instant now = clock.instant();
        Duration behind = Duration.between(now, latest);
        if (behind.compareTo(PATIENCE) > 0) {
            return Optional.of(new IllegalStateException("This machine's clock was set back by " + behind.toSeconds()
                    + " s, from " + latest + " to " + now
                    + ". Kafka's clients would wait until it has caught up, without a"
                    + " word; the process ends, and has to be started again"));
        }
        latest = now.isAfter(latest) ? now : latest;
        return Optional.empty();
    }
}
