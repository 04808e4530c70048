package io.weir.rm.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PositionTest {

    @Test
    void shouldReadBackWhatItWrote() {
        Position position = new Position(17, 4_000_000_000L);

        assertThat(Position.parse(position.format())).contains(position);
    }

    @Test
    void shouldNotTakeAnythingElse() {
        assertThat(Position.parse("")).isEmpty();
        assertThat(Position.parse("17")).isEmpty();
        assertThat(Position.parse("17 x")).isEmpty();
        assertThat(Position.parse("1 2 3")).isEmpty();
    }
}
