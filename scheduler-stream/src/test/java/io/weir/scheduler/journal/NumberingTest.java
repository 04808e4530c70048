package io.weir.scheduler.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumberingTest {
    private final Numbering numbering = new Numbering(10, 1_000);

    @Test
    void shouldReachWhatCanHaveBeenCountedInBetween() {
        assertThat(numbering.reaches(11, 1_001)).isTrue();
        assertThat(numbering.reaches(60, 1_050)).isTrue();
        assertThat(numbering.highest(1_050)).isEqualTo(160);
        assertThat(numbering.reaches(161, 1_050)).isFalse();
        assertThat(numbering.reaches(Long.MAX_VALUE, 1_050)).isFalse();
    }

    @Test
    void shouldGoOnWhenOffsetsBeginAnew() {
        assertThat(numbering.reaches(11, 0)).isTrue();
        assertThat(numbering.reaches(Long.MAX_VALUE, 0)).isFalse();
    }

    @Test
    void shouldTakeAnyNumberAfterTheLargest() {
        assertThat(new Numbering(Long.MAX_VALUE, 3).highest(9)).isEqualTo(Long.MAX_VALUE);
    }
}
