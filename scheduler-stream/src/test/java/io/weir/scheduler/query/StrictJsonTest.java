package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.http.HttpRefusal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"requestId\": \"a\\ud800\"}",
                "{\"a\\udc00\": \"b\"}",
                "{\"arguments\": [{\"name\": \"x\", \"value\": \"\\ud83dx\"}]}"
            })
    void shouldRefuseHalvesOfCharacters(String body) {
        assertThatThrownBy(() -> StrictJson.object(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("surrogate");
    }

    /** The first bytes say in which encoding the rest is; what follows need not be in any. */
    @Test
    void shouldRefuseBytesThatAreInNoEncoding() {
        for (byte[] body : List.of(
                new byte[] {0, 0, 0, '{', 0x7f, -1, -1, -1},
                new byte[] {'{', 0, 0, 0, -1, -1, -1, 0x7f},
                new byte[] {0, 0, '{', 0, 0, 0, '}', 0},
                new byte[] {0, '{', 0, 0, 0, '}', 0, 0},
                new byte[] {-2, -1, -40, 0, -40, 0},
                new byte[] {'{', '"', -1, '"', ':', '1', '}'},
                new byte[] {-17, -69, -65},
                new byte[] {0})) {
            assertThatThrownBy(() -> StrictJson.object(body))
                    .as(Arrays.toString(body))
                    .isInstanceOf(HttpRefusal.class)
                    .hasMessageStartingWith("The body is");
        }
    }

    @Test
    void shouldTakeWholeCharactersOfAnyPlane() {
        byte[] body = "{\"comment\": \"\\ud83d\\ude00 é\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(StrictJson.object(body).path("comment").textValue()).isEqualTo("\uD83D\uDE00 é");
    }
}
