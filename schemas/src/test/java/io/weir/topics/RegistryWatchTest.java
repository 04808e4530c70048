package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RegistryWatchTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final RegistryWatch watch = new RegistryWatch(nanos::get);

    @Test
    void shouldTellOfARegistryThatDoesNotAnswer() {
        watch.asks();
        pass(29);
        assertThat(watch.obstacle()).isEmpty();

        pass(1);

        assertThat(watch.obstacle())
                .hasValueSatisfying(
                        words -> assertThat(words).contains("no usable answer for 30 s", "it does not answer"));
        watch.answered();
        assertThat(watch.obstacle()).isEmpty();
    }

    @Test
    void shouldCountFromTheFirstQuestionAndNameTheLatestFailure() {
        for (int second = 0; second <= 40; second += 10) {
            watch.asks();
            watch.failed("status " + second);
            pass(10);
        }

        assertThat(watch.obstacle())
                .hasValueSatisfying(words -> assertThat(words).contains("for 50 s", "status 40"));
    }

    @Test
    void shouldForgetWhatNobodyAsksAnyMore() {
        watch.asks();
        watch.failed("status 500");
        pass(31);
        assertThat(watch.obstacle()).isEmpty();

        watch.asks();
        pass(29);

        assertThat(watch.obstacle()).isEmpty();
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
