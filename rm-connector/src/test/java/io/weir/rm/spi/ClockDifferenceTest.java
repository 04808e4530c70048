package io.weir.rm.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockDifferenceTest {
    @ParameterizedTest
    @CsvSource({
        "1000, 1000, 1000, 0",
        "1000, 1001, 1000, 0",
        "1000, 999, 1000, 0",
        "1000, 1015, 1020, 0",
        "1000, 1005, 1002, 3",
        "1000, 990, 1020, -10",
        "1000, 8200, 1000, 7200"
    })
    void shouldNotTakeASlowAnswerForAWrongClock(long asked, long told, long answered, long ahead) {
        Duration difference = ClockDifference.of(
                Instant.ofEpochSecond(asked, 900_000_000),
                Instant.ofEpochSecond(told),
                Instant.ofEpochSecond(answered, 950_000_000));

        assertThat(difference).isEqualTo(Duration.ofSeconds(ahead));
    }
}
