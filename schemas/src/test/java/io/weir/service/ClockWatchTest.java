package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private Instant time = Instant.parse("2026-03-01T10:00:00Z");
    private final ClockWatch watch = new ClockWatch(() -> time, why -> {});

    @Test
    void shouldLetTheServiceRunWhileTheClockGoesOn() {
        pass(Duration.ofSeconds(1));
        assertThat(watch.look()).isEmpty();
        pass(Duration.ofDays(400));
        assertThat(watch.look()).isEmpty();
    }

    @Test
    void shouldWaitForAClockThatIsSetBackByALittle() {
        pass(Duration.ofSeconds(-20));
        assertThat(watch.look()).isEmpty();
        pass(Duration.ofSeconds(21));
        assertThat(watch.look()).isEmpty();
    }

    @Test
    void shouldHaveTheServiceEndWhenTheClockIsSetBack() {
        pass(Duration.ofHours(-1));

        assertThat(watch.look())
                .hasValueSatisfying(why -> assertThat(why)
                        .hasMessageStartingWith(
                                "This machine's clock was set back by 3600 s, from 2026-03-01T10:00:00Z to"
                                        + " 2026-03-01T09:00:00Z."));
    }

    @Test
    void shouldAddUpWhatTheClockIsSetBackBy() {
        pass(Duration.ofSeconds(-20));
        assertThat(watch.look()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(watch.look()).isEmpty();
        pass(Duration.ofSeconds(-20));

        assertThat(watch.look()).isPresent();
    }

    private void pass(Duration duration) {
        time = time.plus(duration);
    }
}
