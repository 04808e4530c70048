package io.weir.scheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.scheduler.core.policy.language.LineVerdict;
import io.weir.scheduler.core.policy.language.LineVerdict.Verdict;
import io.weir.scheduler.core.policy.language.PolicyLine;
import io.weir.scheduler.core.policy.language.PolicyProblem;
import io.weir.scheduler.core.policy.language.PolicySettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrialReadingTest {
    private static final String TEXT = """
            RESERVATIONDEPTH 4
            DEFERTIME 7   # fails
            BACKFILLPOLICY SOMEFIT
            DEFERCOUNT 7   # fails
            BACKFILLDEPTH 3
            """;

    /** Reads as the scheduler does, but fails on some lines. */
    private static PolicySettings faulty(List<PolicyLine> lines) {
        for (PolicyLine line : lines) {
            if (line.source().contains("fails")) {
                throw new IllegalStateException("no " + line.name());
            }
        }
        return PolicySettings.read(lines);
    }

    @Test
    void shouldGiveEachLineThatTheReaderFailsOnAVerdictAndReadTheOthers() {
        TrialReading reading = TrialReading.of(PolicyLine.parse(TEXT), TrialReadingTest::faulty);

        assertThat(reading.verdicts())
                .extracting(LineVerdict::verdict)
                .containsExactly(
                        Verdict.APPLIED, Verdict.BAD_VALUE, Verdict.BAD_VALUE, Verdict.BAD_VALUE, Verdict.APPLIED);
        assertThat(reading.failing())
                .extracting(PolicyProblem::toString)
                .allSatisfy(text -> assertThat(text).contains("the scheduler fails on this line"))
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("ERROR line 2: DEFERTIME")
                                .contains("IllegalStateException"),
                        text -> assertThat(text)
                                .startsWith("ERROR line 4: DEFERCOUNT")
                                .contains("no DEFERCOUNT"));
        assertThat(reading.settings().count("RESERVATIONDEPTH")).isEqualTo(4);
        assertThat(reading.settings().count("BACKFILLDEPTH")).isEqualTo(3);
    }

    @Test
    void shouldReadAsTheSchedulerDoesWhereNothingFails() {
        TrialReading reading = TrialReading.of(TEXT);

        assertThat(reading.failing()).isEmpty();
        assertThat(reading.verdicts())
                .isEqualTo(PolicySettings.read(TEXT).verdicts())
                .hasSize(5);
    }
}
