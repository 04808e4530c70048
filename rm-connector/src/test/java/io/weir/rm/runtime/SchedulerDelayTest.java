package io.weir.rm.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.runtime.command.HeartbeatProgress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SchedulerDelayTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final SchedulerDelay delay = new SchedulerDelay();

    @Test
    void shouldTellForHowLongTheOldestHasLainInTheLog() {
        delay.note(new HeartbeatProgress(10, 10), 0);
        assertThat(delay.at(5 * SECOND)).isZero();

        delay.note(new HeartbeatProgress(11, 10), SECOND);
        delay.note(new HeartbeatProgress(12, 10), 2 * SECOND);
        assertThat(delay.at(9 * SECOND)).isEqualTo(Duration.ofSeconds(8));

        delay.note(new HeartbeatProgress(13, 11), 9 * SECOND);
        assertThat(delay.at(9 * SECOND)).isEqualTo(Duration.ofSeconds(7));

        delay.note(new HeartbeatProgress(13, 13), 10 * SECOND);
        assertThat(delay.at(10 * SECOND)).isZero();
    }

    @Test
    void shouldKeepTheOldestOfAnyNumber() {
        for (int i = 1; i <= 10_000; i++) {
            delay.note(new HeartbeatProgress(i, 0), i * SECOND);
        }
        assertThat(delay.at(10_000 * SECOND)).isEqualTo(Duration.ofSeconds(9_999));

        delay.note(new HeartbeatProgress(10_000, 9_999), 10_000 * SECOND);
        assertThat(delay.at(10_001 * SECOND)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shouldNotTellWhatNobodyKnows() {
        delay.note(new HeartbeatProgress(2, 1), 0);
        delay.forget();
        assertThat(delay.at(SECOND)).isZero();
    }
}
