package io.weir.scheduler.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.service.http.HttpRefusal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFormTest {
    private static final Principal ADMIN = new Principal("root", Optional.empty());

    @Test
    void shouldTakeText() {
        assertThat(PolicyForm.read(ADMIN, "c1", body("RESERVATIONDEPTH 4\r\n\t# Gr\u00f6\u00dfe\n"))
                        .getVersion())
                .hasSize(64);
    }

    /** It would be taken for a configuration that says nothing, in place of the one in force. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0000\u0001", "RESERVATIONDEPTH 4\n\u0000"})
    void shouldRefuseWhatIsNoText(String text) {
        assertThatExceptionOfType(HttpRefusal.class)
                .isThrownBy(() -> PolicyForm.read(ADMIN, "c1", body(text)))
                .withMessageContaining("control character U+0000")
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(400));
    }

    private static ObjectNode body(String text) {
        return JsonNodeFactory.instance.objectNode().put("text", text).put("source", "test");
    }
}
