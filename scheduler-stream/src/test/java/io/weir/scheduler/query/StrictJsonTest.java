package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.http.HttpRefusal;
import java.nio.charset.StandardCharsets;
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

    @Test
    void shouldTakeWholeCharactersOfAnyPlane() {
        byte[] body = "{\"comment\": \"\\ud83d\\ude00 é\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(StrictJson.object(body).path("comment").textValue()).isEqualTo("\uD83D\uDE00 é");
    }
}
