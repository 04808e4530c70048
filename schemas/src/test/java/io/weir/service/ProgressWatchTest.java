package io.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressWatchTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final ProgressWatch watch = new ProgressWatch("committed", nanos::get);
    private final Readiness readiness = new Readiness();

    ProgressWatchTest() {
        readiness.declare("commits", watch::obstacle);
    }

    @Test
    void shouldNotBeReadyWhileWhatWasBegunIsNotDone() {
        watch.begun("one");
        pass(29);
        assertThat(readiness.isReady()).isTrue();

        pass(1);

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.report().get("commits"))
                .isEqualTo("nothing could be committed for 30 s: too few brokers are there, or a topic is missing");
        assertThat(watch.longestSeconds()).isEqualTo(30);
        watch.done("one");
        assertThat(readiness.report()).containsEntry("commits", "ok");
        assertThat(watch.longestSeconds()).isZero();
    }

    @Test
    void shouldBeReadyWhileNothingIsBegun() {
        pass(1_000);

        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldCountFromTheFirstAttemptThatFailed() {
        watch.begun("one");
        pass(20);
        watch.abandoned("one");
        pass(5);
        watch.begun("one");
        pass(5);

        assertThat(readiness.isReady()).isFalse();
    }

    @Test
    void shouldForgetWhatWasGivenUpForGood() {
        watch.begun("one");
        pass(20);
        watch.abandoned("one");
        pass(31);
        assertThat(readiness.isReady()).isTrue();

        watch.begun("one");
        pass(10);
        assertThat(watch.longest()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void shouldTellPartsApart() {
        watch.begun("one");
        pass(30);
        watch.begun("two");
        watch.done("two");

        assertThat(readiness.isReady()).isFalse();
    }

    private void pass(long seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
