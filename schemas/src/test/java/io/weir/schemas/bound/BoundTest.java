package io.weir.schemas.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.GenericEvent;
import io.weir.topics.AvroTrust;
import java.time.Instant;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
        assertThat(new Bound.Prose(9, false).cut("a\uFFFEb\uFFFFc"))
                .as("no characters, and nothing that XML could carry")
                .isEqualTo("a\uFFFDb\uFFFDc");
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

    private static GenericEvent event(String message) {
        return new GenericEvent("c", "hot", "node", "n1", message, NOON, null, true, null);
    }

    private static GenericEvent fit(GenericEvent event) {
        return FactBounds.of(event).fitted(event);
    }
}
