package io.weir.rm.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.rm.simulated.FailureScript.NodeEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailureScriptParserTest {

    @Test
    void shouldReadEverySentence() {
        FailureScript script = parse("""
                # all there is
                AT +3600 NODE n0003 DOWN FOR 600   # ten minutes
                at 200 node n0004 down
                AT 9000 NODE n0004 UP

                COMMAND 17 REFUSE "no licence left"
                COMMAND 18 LOSE
                COMMAND 19 FAIL 2
                START JOB 12 REFUSE 2
                START JOB 13 REFUSE
                POLL 5 FAIL 3
                """);

        assertThat(script.nodeEvents())
                .containsExactly(
                        new NodeEvent(200, "n0004", false),
                        new NodeEvent(3_700, "n0003", false),
                        new NodeEvent(4_300, "n0003", true),
                        new NodeEvent(9_000, "n0004", true));
        assertThat(script.refusedCommands()).isEqualTo(Map.of(17L, "no licence left"));
        assertThat(script.lostAnswers()).isEqualTo(Map.of(18L, 1));
        assertThat(script.failingCommands()).isEqualTo(Map.of(19L, 2));
        assertThat(script.refusedStarts()).isEqualTo(Map.of("12", 2, "13", 1));
        assertThat(script.failingPolls()).isEqualTo(Map.of(5L, 3));
    }

    @Test
    void shouldReportEveryBadLineWithItsReason() {
        assertThatThrownBy(() -> parse("""
                AT x NODE n0003 DOWN
                AT 5 NODE m1 DOWN
                AT 5 NODE n0003 SIDEWAYS
                AT 5 NODE n0003 UP FOR 3
                COMMAND 17
                COMMAND 0 LOSE
                NONSENSE
                START JOB 12 REFUSE 2 3
                POLL 5 REFUSE
                """))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .isEqualTo("""
                        line 1: 'x' is not a whole number: AT x NODE n0003 DOWN
                        line 2: there is no node m1: AT 5 NODE m1 DOWN
                        line 3: UP or DOWN expected, not SIDEWAYS: AT 5 NODE n0003 SIDEWAYS
                        line 4: nothing expected after UP: AT 5 NODE n0003 UP FOR 3
                        line 5: REFUSE, LOSE or FAIL is missing: COMMAND 17
                        line 6: '0' is not between 1 and 2147483647: COMMAND 0 LOSE
                        line 7: a line begins with AT, COMMAND, START or POLL: NONSENSE
                        line 8: nothing expected after 2: START JOB 12 REFUSE 2 3
                        line 9: FAIL expected, not REFUSE: POLL 5 REFUSE""");
    }

    private static FailureScript parse(String script) {
        return new FailureScriptParser(100, name -> name.startsWith("n")).parse(script);
    }
}
