package io.weir.scheduler.stream.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OverloadTest {
    private long nanos = 5;
    private final Overload overload = new Overload(0, () -> nanos);

    @Test
    void shouldCountFromWhenInputsBeganToWait() {
        pass(Duration.ofSeconds(100));
        assertThat(overload.lasts()).isZero();

        overload.note(3);
        pass(Duration.ofSeconds(7));
        overload.note(900);
        pass(Duration.ofSeconds(1));

        assertThat(overload.lasts()).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void shouldBeginAnewAfterABreak() {
        overload.note(3);
        pass(Duration.ofSeconds(7));
        overload.note(0);
        assertThat(overload.lasts()).isZero();
        overload.note(1);
        pass(Duration.ofSeconds(2));

        assertThat(overload.lasts()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void shouldSayOnceThatItLasts() {
        overload.note(3);
        pass(Overload.PATIENCE.minusNanos(1));
        overload.note(3);
        assertThat(overload.told()).isFalse();
        pass(Duration.ofNanos(1));
        overload.note(3);
        assertThat(overload.told()).isTrue();
        overload.note(0);
        assertThat(overload.told()).isFalse();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
