package io.weir.rm.spi;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/**
 * A clock's time in whole seconds that does not go back by a little, as it would when the clock is compared with another. When it
 * goes back by more, the clock was wrong before or has been set: the earlier time is taken. One thread.
 */
public final class SteadyTime {
    private final Duration little;
    private final Consumer<Duration> wentBack;
    private Instant last = Instant.EPOCH;

    /**
     * Creates the time of a clock.
     *
     * @param little so much it may be off
     * @param wentBack told by how much it went back, when that is more
     */
    public SteadyTime(Duration little, Consumer<Duration> wentBack) {
        this.little = little;
        this.wentBack = wentBack;
    }

    /** Returns the time when the clock shows {@code shown}. */
    public Instant at(Instant shown) {
        Instant seconds = shown.truncatedTo(ChronoUnit.SECONDS);
        Duration back = Duration.between(seconds, last);
        if (back.compareTo(little) > 0) {
            wentBack.accept(back);
            last = seconds;
        } else if (back.isNegative()) {
            last = seconds;
        }
        return last;
    }
}
