package io.weir.rm.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Results at the offsets below; each call has the end of the topic at that moment. */
class ResultsMarkTest {
    private final ResultsMark mark = new ResultsMark(new Position(4, 100));

    @Test
    void shouldKeepTheEndWhenNothingLaterIsAnswered() {
        assertThat(mark.advance(6, 6, 110)).isEqualTo(new Position(6, 110));
        assertThat(mark.advance(7, 7, 120)).isEqualTo(new Position(7, 120));
    }

    @Test
    void shouldStayBeforeTheResultOfALaterCommand() {
        assertThat(mark.advance(5, 8, 110))
                .as("the results of 6 to 8 may lie from 100 on")
                .isEqualTo(new Position(5, 100));
        assertThat(mark.advance(7, 9, 120)).isEqualTo(new Position(7, 100));
    }

    @Test
    void shouldMoveOnWhenAllAnsweredAtAMarkAreFinished() {
        mark.advance(5, 8, 110);

        assertThat(mark.advance(8, 12, 130))
                .as("9 to 12 were answered from 110 on")
                .isEqualTo(new Position(8, 110));
        assertThat(mark.at(11)).isEqualTo(new Position(11, 110));
        assertThat(mark.at(12)).isEqualTo(new Position(12, 130));
    }
}
