package io.weir.scheduler.stream;

import java.time.Duration;

/** Waits; the one way in which the stream thread does. */
@FunctionalInterface
public interface Pause {
    /** Waits by sleeping. */
    Pause SLEEP = duration -> Thread.sleep(duration.toMillis());

    /** Waits for {@code duration}. */
    void last(Duration duration) throws InterruptedException;
}
