package io.weir.scheduler.stream.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WallWaitTest {
    private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration LENGTH = Duration.ofSeconds(5);

    private final WallWait wait = new WallWait(BEGAN);

    @Test
    void shouldBeOverWhenItsLengthHasPassed() {
        assertThat(wait.isOver(LENGTH, BEGAN)).isFalse();
        assertThat(wait.isOver(LENGTH, BEGAN.plusMillis(4_999))).isFalse();
        assertThat(wait.isOver(LENGTH, BEGAN.plusSeconds(5))).isTrue();
    }

    @Test
    void shouldBeOverWhenTheClockWasSetBack() {
        assertThat(wait.isOver(LENGTH, BEGAN.minusMillis(1))).isTrue();
        assertThat(wait.isOver(Duration.ofDays(1), BEGAN.minus(Duration.ofHours(1))))
                .isTrue();
    }
}
