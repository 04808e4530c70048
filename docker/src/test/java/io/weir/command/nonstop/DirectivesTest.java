package io.weir.command.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.Feature;
import io.weir.command.terminal.BadInputException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class DirectivesTest {
    @Test
    @Feature({"SMD-49", "SMD-50"})
    void shouldReadAWaitThatEndsTheJob() {
        assertThat(Directives.parse("REPLACE:TIME_LIMIT_DELAY=4:EXIT_JOB"))
                .isEqualTo(new Directives(true, false, true, 4, 0, 0));
    }

    @Test
    @Feature({"SMD-49", "SMD-51"})
    void shouldReadAnyCaseBlanksAndUnits() {
        assertThat(Directives.parse("replace : time_limit_delay=4min:drop:TIME_LIMIT_DROP=10"))
                .isEqualTo(new Directives(true, true, false, 4, 0, 10));
    }

    @Test
    void shouldTakeTheLastOfRepeatedKeysAndPassOverEmptyItems() {
        assertThat(Directives.parse("TIME_LIMIT_EXTEND=1::TIME_LIMIT_EXTEND=65533:")
                        .extend())
                .isEqualTo(65_533);
        assertThat(Directives.parse("")).isEqualTo(Directives.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REPLACE:WAIT=3",
                "DROP:TIME_LIMIT_DROP",
                "TIME_LIMIT_DELAY=-1",
                "TIME_LIMIT_DELAY=65534",
                "TIME_LIMIT_DELAY=four",
                "REPLACE=1",
                "\"REPLACE:DROP",
                "REPLACE:DROP'"
            })
    void shouldRefuseWhatIsNoDirectiveAndListThoseThatAre(String text) {
        assertThatThrownBy(() -> Directives.parse(text))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("REPLACE, DROP, EXIT_JOB, TIME_LIMIT_DELAY=N");
    }
}
