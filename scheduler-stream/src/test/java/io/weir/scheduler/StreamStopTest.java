package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamStopTest {
    private final AtomicInteger attempts = new AtomicInteger();
    private final Exception failure = new IllegalArgumentException("broke");

    @Test
    void shouldCloseAgainUntilTheStreamHasStopped() {
        StreamStop stop = new StreamStop(time -> attempts.incrementAndGet() == 3, () -> false);

        assertThat(stop.await(failure)).isTrue();
        assertThat(attempts).hasValue(3);
    }

    @Test
    void shouldWaitNoMoreWhenTheServiceStops() {
        StreamStop stop = new StreamStop(time -> attempts.incrementAndGet() > 5, () -> attempts.get() == 2);

        assertThat(stop.await(failure)).isFalse();
        assertThat(attempts).hasValue(2);
    }

    @Test
    void shouldNameWhatFailedWhenTheStreamDoesNotStopAtAll() {
        StreamStop stop = new StreamStop(time -> false, () -> false);

        assertThatThrownBy(() -> stop.await(failure))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not stopped within 10 min")
                .hasCause(failure);
    }
}
