package io.weir.scheduler.core.policy.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlCharacterTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "A 1\r\nB\t2\n", "# \u00e4\u65e5\ud83d\ude00\f\r", "\ufeffA 1"})
    void shouldFindNoneInText(String text) {
        assertThat(ControlCharacter.in(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "A\u0000", "\u001b[0m", "\u007f", "\u0085"})
    void shouldFindWhatIsNoText(String text) {
        assertThat(ControlCharacter.in("A 1\r\nB 2\n" + text)).hasValueSatisfying(found -> {
            assertThat(found.line()).isEqualTo(3);
            assertThat(found.message()).contains("U+00");
        });
    }

    @Test
    void shouldSayWhichItIs() {
        assertThat(ControlCharacter.in("\u0001"))
                .hasValueSatisfying(found -> assertThat(found.message()).contains("U+0001"));
    }
}
