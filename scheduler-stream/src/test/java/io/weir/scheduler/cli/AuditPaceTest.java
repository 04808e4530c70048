package io.weir.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AuditPaceTest {
    private long nanos;
    private final AuditPace pace = new AuditPace(() -> nanos);

    @Test
    void shouldSayHowFastItGoesAndHowLongItTakes() {
        pace.iteration();
        pace.iteration();
        nanos = Duration.ofSeconds(2).toNanos();

        assertThat(pace.text("alpha", 2, 0.25)).isEqualTo("alpha: iteration 2, 25 %, 1 iterations/s, 6 s left");
    }

    @Test
    void shouldSayMinutesWhereItTakesMinutes() {
        nanos = Duration.ofSeconds(10).toNanos();

        assertThat(pace.text("alpha", 7, 0.1)).endsWith("1 min 30 s left");
    }

    @Test
    void shouldPromiseNothingBeforeItKnows() {
        assertThat(pace.text("alpha", 1, 0)).isEqualTo("alpha: iteration 1, 0 %");
    }
}
