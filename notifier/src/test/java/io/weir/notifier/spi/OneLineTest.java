package io.weir.notifier.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
    @Test
    void shouldLeaveNothingThatMovesACursorOrTurnsATextAround() {
        String hostile = "a\u001b[2Jb\u009b1mc\u0007d\u202ee\u2066f\u2028g\nh\ti";

        assertThat(OneLine.of(hostile)).isEqualTo("a [2Jb 1mc d e f g h i");
        assertThat(OneLine.each(hostile)).isEqualTo("a [2Jb 1mc d e f g\nh\ti");
    }
}
