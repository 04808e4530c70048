package io.weir.command.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WaitSummaryTest {
    @Test
    void shouldSumUpWaitsInAnyOrder() {
        assertThat(WaitSummary.of(List.of(30L, 0L, 60L, 10L))).isEqualTo(new WaitSummary(25, 10, 60, 60));
        assertThat(WaitSummary.of(List.of(7L))).isEqualTo(new WaitSummary(7, 7, 7, 7));
    }

    @Test
    void shouldTakePercentilesByNearestRank() {
        List<Long> waits = LongStream.rangeClosed(1, 200).boxed().toList();

        assertThat(WaitSummary.of(waits)).isEqualTo(new WaitSummary(100.5, 100, 190, 200));
    }

    @Test
    void shouldWantAWait() {
        assertThatThrownBy(() -> WaitSummary.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
