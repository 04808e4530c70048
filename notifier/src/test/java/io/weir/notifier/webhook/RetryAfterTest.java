package io.weir.notifier.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    @Test
    void shouldReadSeconds() {
        assertThat(RetryAfter.parse(" 90 ", NOW)).contains(Duration.ofSeconds(90));
        assertThat(RetryAfter.parse("0", NOW)).contains(Duration.ZERO);
    }

    @Test
    void shouldReadADate() {
        assertThat(RetryAfter.parse("Sun, 01 Mar 2026 10:01:30 GMT", NOW)).contains(Duration.ofSeconds(90));
    }

    @Test
    void shouldNotWaitForAPastDate() {
        assertThat(RetryAfter.parse("Sun, 01 Mar 2026 09:00:00 GMT", NOW)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "1.5", "99999999999999999999", "Sun, 99 Mar 2026 10:01:30 GMT"})
    void shouldIgnoreWhatItCannotRead(String value) {
        assertThat(RetryAfter.parse(value, NOW)).isEmpty();
    }
}
