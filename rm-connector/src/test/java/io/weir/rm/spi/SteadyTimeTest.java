package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyTimeTest {
    private final List<Duration> back = new ArrayList<>();
    private final SteadyTime time = new SteadyTime(Duration.ofSeconds(2), back::add);

    private long at(long second) {
        return time.at(Instant.ofEpochSecond(second, 700_000_000)).getEpochSecond();
    }

    @Test
    void shouldNotGoBackByALittle() {
        assertThat(at(1000)).isEqualTo(1000);
        assertThat(at(998)).isEqualTo(1000);
        assertThat(at(1001)).isEqualTo(1001);
        assertThat(back).isEmpty();
    }

    @Test
    void shouldGoBackWhenTheClockWasWrong() {
        at(1000);
        assertThat(at(8200)).isEqualTo(8200);
        assertThat(at(1002)).isEqualTo(1002);
        assertThat(at(1001)).isEqualTo(1002);
        assertThat(at(1003)).isEqualTo(1003);
        assertThat(back).containsExactly(Duration.ofSeconds(7198));
    }
}
