package io.weir.notifier.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EngineClockTest {
    private static final int MOST_BOOTS = Integer.MAX_VALUE - 1;

    private Instant time = Instant.parse("2026-03-01T10:00:00Z");
    private long nanos;

    @Test
    void shouldGrowOlderWithTheClock() {
        EngineClock engine = engine();
        assertThat(engine.age()).isEqualTo(boots(time));

        pass(Duration.ofSeconds(2));

        assertThat(engine.age()).isEqualTo(boots(time));
    }

    @Test
    void shouldGoOnWhileTheClockIsSetBack() {
        EngineClock engine = engine();
        int before = engine.age().boots();

        time = time.minus(Duration.ofHours(1));
        assertThat(engine.age().boots()).isEqualTo(before);
        for (int i = 0; i < 10; i++) {
            pass(Duration.ofMillis(500));
            engine.age();
        }

        assertThat(engine.age().boots()).isEqualTo(before + 5);
    }

    @Test
    void shouldGrowOlderWhenNoMoreBootsCanBeTold() {
        time = Instant.ofEpochSecond(MOST_BOOTS);
        EngineClock engine = engine();
        assertThat(engine.age()).isEqualTo(new EngineClock.Age(MOST_BOOTS, 0));

        pass(Duration.ofDays(400));

        assertThat(engine.age()).isEqualTo(new EngineClock.Age(MOST_BOOTS, (int)
                Duration.ofDays(400).toSeconds()));
    }

    private EngineClock engine() {
        return new EngineClock(() -> time, () -> nanos);
    }

    private void pass(Duration duration) {
        time = time.plus(duration);
        nanos += TimeUnit.MILLISECONDS.toNanos(duration.toMillis());
    }

    private static EngineClock.Age boots(Instant at) {
        return new EngineClock.Age((int) at.getEpochSecond(), 0);
    }
}
