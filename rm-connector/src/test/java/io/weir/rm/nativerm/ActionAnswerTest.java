package io.weir.rm.nativerm;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.rm.nativerm.call.Reply;
import io.weir.rm.spi.RmAnswer;
import io.weir.schemas.CommandOutcome;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ActionAnswerTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    @Test
    void shouldTakeAGoodEndForDone() {
        assertThat(answer("")).isEqualTo(RmAnswer.done(NOW));
        assertThat(answer("job started, SC=-1 is not at the start of this line\n"))
                .isEqualTo(RmAnswer.done(NOW));
        assertThat(answer("SC=0")).isEqualTo(RmAnswer.done(NOW));
        assertThat(answer("starting\n  sc=2 all is well\n")).isEqualTo(RmAnswer.done(NOW));
        assertThat(answer("SC=0x")).isEqualTo(RmAnswer.done(NOW));
    }

    @Test
    void shouldTakeTimeAndMessage() {
        assertThat(answer("SC=0;TIME=900;MESSAGE='started late'"))
                .isEqualTo(new RmAnswer(CommandOutcome.DONE, Instant.ofEpochSecond(900), "started late"));
    }

    @Test
    void shouldTakeANegativeStatusForARefusal() {
        assertThat(answer("SC=-1")).isEqualTo(RmAnswer.refused("SC=-1"));
        assertThat(answer("SC=-2;MESSAGE=\"no licence\"")).isEqualTo(RmAnswer.refused("SC=-2: no licence"));
        assertThat(answer("asking\nSC=-1 node n1 is\n drained\n"))
                .isEqualTo(RmAnswer.refused("SC=-1: node n1 is asking drained"));
        assertThat(answer("SC=-1 " + "x".repeat(9_000)).message()).hasSizeLessThan(600);
    }

    @Test
    void shouldTakeABadEndForARefusalWhateverWasPrinted() {
        assertThat(ActionAnswer.of(new Reply(false, "SC=0", "exit code 1"), NOW))
                .isEqualTo(RmAnswer.refused("exit code 1"));
    }

    private static RmAnswer answer(String output) {
        return ActionAnswer.of(new Reply(true, output, ""), NOW);
    }
}
