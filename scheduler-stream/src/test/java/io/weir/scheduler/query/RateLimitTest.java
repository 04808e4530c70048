package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final AtomicLong clock = new AtomicLong();
    private final RateLimit limit = new RateLimit(2, 5, clock::get);

    @Test
    void shouldLetABurstThroughAndThenSoManyASecond() {
        for (int i = 0; i < 10; i++) {
            assertThat(limit.take("anna")).isZero();
        }
        assertThat(limit.take("anna")).isEqualTo(1);
        assertThat(limit.take("bob")).isZero();

        clock.addAndGet(1_000_000_000L);

        assertThat(limit.take("anna")).isZero();
        assertThat(limit.take("anna")).isZero();
        assertThat(limit.take("anna")).isPositive();
    }

    @Test
    void shouldNotSaveUpForEver() {
        clock.addAndGet(Long.MAX_VALUE / 2);
        limit.take("anna");
        clock.addAndGet(Long.MAX_VALUE / 4);

        for (int i = 0; i < 10; i++) {
            assertThat(limit.take("anna")).isZero();
        }
        assertThat(limit.take("anna")).isPositive();
    }

    /** What came with a call that was let in is made up for before the next one. */
    @Test
    void shouldWaitForWhatWasDoneBeyondTheBurst() {
        assertThat(limit.take("anna")).isZero();
        limit.spend("anna", 14);
        assertThat(limit.take("anna")).isEqualTo(3);

        clock.addAndGet(2_500_000_000L);
        assertThat(limit.take("anna")).isEqualTo(1);
        clock.addAndGet(500_000_000L);
        assertThat(limit.take("anna")).isZero();
        assertThat(limit.take("anna")).isPositive();
    }

    @Test
    void shouldRememberTenThousandAtMost() {
        for (int i = 0; i < 20_000; i++) {
            limit.take("host-" + i);
        }

        assertThat(limit.size()).isEqualTo(10_000);
    }
}
