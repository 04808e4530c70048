package io.weir.scheduler.core.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.GenericEvent;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NullUnmarked
class BoundTest {
    private static final Instant NOON = Instant.ofEpochSecond(43_200);

    @Test
    void shouldCutBetweenCharactersNotWithinThem() {
        Bound.Prose prose = new Bound.Prose(5, false);

        assertThat(prose.cut("12345")).isEqualTo("12345");
        assertThat(prose.cut("123456")).isEqualTo("1234…");
        assertThat(prose.cut("123\uD83D\uDE80456")).isEqualTo("123…");
    }

    @Test
    void shouldReplaceControlCharactersAndKeepLines() {
        assertThat(new Bound.Prose(9, true).cut("a\nb\u0000c\td")).isEqualTo("a\nb\uFFFDc\td");
        assertThat(new Bound.Prose(9, false).cut("a\nb")).isEqualTo("a\uFFFDb");
    }

    @Test
    void shouldLeaveARecordAloneThatNeedsNoCutting() {
        GenericEvent event = event("said");

        assertThat(fit(event)).isSameAs(event);
    }

    @BeforeAll
    static void trustRecords() {
        AvroTrust.install();
    }

    @Test
    void shouldCutACopyOfARecord() {
        GenericEvent event = event("x".repeat(Limit.NOTE_LENGTH + 1));

        assertThat(fit(event).getMessage()).hasSize(Limit.NOTE_LENGTH).endsWith("…");
        assertThat(event.getMessage()).hasSize(Limit.NOTE_LENGTH + 1);
    }

    @Test
    void shouldNameThePlaceOfABreach() {
        GenericEvent event = new GenericEvent("c", "", "node", "n1", null, NOON, null, true, null);

        assertThat(FactBounds.of(event).check(event).message())
                .isEqualTo("name has 0 characters; 1 to 256 are allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a)\\1", "(?=a)b", "(?<=a)b", "((x{1000}){1000}){1000}", "(?:x{1000}){20}", "["})
    void shouldRefuseExpressionsThatRe2DoesNotHaveOrThatAreTooLarge(String expression) {
        assertThatThrownBy(() -> Expression.of(expression))
                .isInstanceOf(BadExpressionException.class)
                .hasMessageContaining("regular expression");
    }

    @Test
    void shouldMatchInTimeThatGrowsWithTheTextOnly() throws BadExpressionException {
        Expression expression = Expression.of("(a|a)*(a|a)*(a|a)*b");

        assertThat(expression.isIn("a".repeat(20_000))).isFalse();
        assertThat(expression.isIn("a".repeat(100) + "b")).isTrue();
    }

    private static GenericEvent event(String message) {
        return new GenericEvent("c", "hot", "node", "n1", message, NOON, null, true, null);
    }

    private static GenericEvent fit(GenericEvent event) {
        return FactBounds.of(event).fitted(event);
    }
}
