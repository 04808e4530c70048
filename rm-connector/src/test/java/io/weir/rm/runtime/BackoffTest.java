package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void shouldDoubleUpToTheLongestPause() {
        Backoff schedule = new Backoff(Duration.ofMillis(100), Duration.ofMillis(700));

        assertThat(schedule.pause(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(schedule.pause(2)).isEqualTo(Duration.ofMillis(200));
        assertThat(schedule.pause(3)).isEqualTo(Duration.ofMillis(400));
        assertThat(schedule.pause(4)).isEqualTo(Duration.ofMillis(700));
        assertThat(schedule.pause(1_000_000)).isEqualTo(Duration.ofMillis(700));
    }
}
