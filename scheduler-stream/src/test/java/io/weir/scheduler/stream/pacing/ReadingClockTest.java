package io.weir.scheduler.stream.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReadingClockTest {
    private static final Instant T0 = Instant.parse("2026-03-01T10:00:00Z");

    private Instant system = T0;
    private long spent = 7;
    private final ReadingClock clock = new ReadingClock(() -> system, () -> spent);

    @Test
    void shouldGoLikeTheSystemsWhileNothingElseIsDone() {
        assertThat(clock.now()).isEqualTo(T0);
        system = T0.plusSeconds(9);
        assertThat(clock.now()).isEqualTo(T0.plusSeconds(9));
    }

    @Test
    void shouldStandStillDuringIterations() {
        spend(4);
        system = T0.plusSeconds(5);
        assertThat(clock.now()).isEqualTo(T0.plusSeconds(1));
        system = T0.plusSeconds(7);
        assertThat(clock.now()).isEqualTo(T0.plusSeconds(3));
    }

    /** The system's time is that of the beginning of a unit of work. */
    @Test
    void shouldNotGoBackBeforeTheSystemsTimeHasCaughtUp() {
        spend(4);
        assertThat(clock.now()).isEqualTo(T0);
        system = T0.plusSeconds(3);
        assertThat(clock.now()).isEqualTo(T0);
        system = T0.plusSeconds(6);
        assertThat(clock.now()).isEqualTo(T0.plusSeconds(2));
    }

    @Test
    void shouldGoBackWithTheSystems() {
        spend(4);
        system = T0.minusSeconds(60);
        assertThat(clock.now()).isEqualTo(T0.minusSeconds(60));
    }

    private void spend(long seconds) {
        spent += Duration.ofSeconds(seconds).toNanos();
    }
}
