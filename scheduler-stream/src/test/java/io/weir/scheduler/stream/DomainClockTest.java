package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The instant of an iteration; the clock may run five minutes ahead of the resource manager's. */
class DomainClockTest {
    private static final Instant T = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final DomainClock rm = new DomainClock(ClockMode.RM, SKEW);
    private final DomainClock wall = new DomainClock(ClockMode.WALL, SKEW);

    @Test
    void shouldFollowTheResourceManagerWhereThatIsConfigured() {
        assertThat(rm.mode()).isEqualTo(ClockMode.RM);
        assertThat(rm.now(T, T.minusSeconds(7), null)).isEqualTo(T.minusSeconds(7));
        assertThat(rm.now(T, null, null)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void shouldFollowThisMachineOtherwise() {
        assertThat(wall.mode()).isEqualTo(ClockMode.WALL);
        assertThat(wall.now(T, null, null)).isEqualTo(T);
        assertThat(wall.now(T, T.plusSeconds(7), null)).isEqualTo(T);
    }

    @Test
    void shouldNotRunFurtherAheadOfTheResourceManagerThanAllowed() {
        assertThat(wall.now(T, T.minusSeconds(299), null)).isEqualTo(T);
        assertThat(wall.now(T, T.minusSeconds(301), null)).isEqualTo(T.minusSeconds(1));
    }

    @Test
    void shouldNeverGoBack() {
        assertThat(rm.now(T, T, T.plusSeconds(1))).isEqualTo(T.plusSeconds(1));
        assertThat(rm.now(T, T, T.minusSeconds(1))).isEqualTo(T);
        assertThat(wall.now(T, null, T.plusSeconds(1))).isEqualTo(T.plusSeconds(1));
    }
}
