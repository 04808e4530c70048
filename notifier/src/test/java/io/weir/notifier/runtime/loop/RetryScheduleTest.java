package io.weir.notifier.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

    @Test
    void shouldDoubleTheWaitUpToTheLongest() {
        assertThat(IntStream.rangeClosed(1, 8)
                        .mapToObj(attempt -> RetrySchedule.DEFAULT
                                .waitAfter(attempt, Duration.ZERO)
                                .map(Duration::toSeconds)
                                .orElse(-1L)))
                .containsExactly(10L, 20L, 40L, 80L, 160L, 300L, 300L, -1L);
    }

    @Test
    void shouldWaitAlikeWithFactorOne() {
        RetrySchedule schedule = new RetrySchedule(4, Duration.ofSeconds(10), 1, Duration.ofMinutes(5));

        assertThat(schedule.waitAfter(3, Duration.ZERO)).contains(Duration.ofSeconds(10));
        assertThat(schedule.waitAfter(4, Duration.ZERO)).isEmpty();
    }

    @Test
    void shouldHonourWhatTheReceiverAsksUpToTheLongest() {
        assertThat(RetrySchedule.DEFAULT.waitAfter(1, Duration.ofSeconds(5))).contains(Duration.ofSeconds(10));
        assertThat(RetrySchedule.DEFAULT.waitAfter(1, Duration.ofSeconds(50))).contains(Duration.ofSeconds(50));
        assertThat(RetrySchedule.DEFAULT.waitAfter(1, Duration.ofDays(1))).contains(Duration.ofMinutes(5));
    }

    @Test
    void shouldNotOverflow() {
        RetrySchedule endless = new RetrySchedule(Integer.MAX_VALUE, Duration.ofMillis(1), 100, Duration.ofDays(1));

        assertThat(endless.backOff(Integer.MAX_VALUE)).isEqualTo(Duration.ofDays(1));
        assertThat(new RetrySchedule(9, Duration.ZERO, 2, Duration.ofDays(1)).backOff(8))
                .isZero();
        assertThat(new RetrySchedule(9, Duration.ofDays(2), 2, Duration.ofDays(1)).backOff(1))
                .isEqualTo(Duration.ofDays(1));
    }
}
