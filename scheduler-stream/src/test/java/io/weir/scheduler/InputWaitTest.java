package io.weir.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class InputWaitTest {
    private static final Duration ASKED = Duration.ofMillis(2);

    private long now = 17;
    private final InputWait wait = new InputWait(() -> now);

    @Test
    void shouldWaitAsLongAsAskedAtFirst() {
        assertThat(wait.of(ASKED)).isEqualTo(ASKED);
    }

    @Test
    void shouldWaitLongerWhereNothingWasReadOrWrittenForAWhile() {
        pass(InputWait.CALM);

        assertThat(wait.of(ASKED)).isEqualTo(InputWait.AT_REST);
    }

    @Test
    void shouldWaitAsLongAsAskedAfterSomethingWasReadOrWritten() {
        pass(InputWait.CALM);
        wait.stir();
        pass(InputWait.CALM.minusNanos(1));

        assertThat(wait.of(ASKED)).isEqualTo(ASKED);
    }

    @Test
    void shouldNotWaitWhereKafkaStreamsDoesNot() {
        pass(InputWait.CALM);

        assertThat(wait.of(Duration.ZERO)).isEqualTo(Duration.ZERO);
    }

    @Test
    void shouldNotCutAWaitThatIsLongerAnyway() {
        pass(InputWait.CALM);

        assertThat(wait.of(Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(50));
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
