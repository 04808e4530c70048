package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.apache.avro.util.ClassSecurityValidator;
import org.junit.jupiter.api.Test;

class AvroTrustTest {

    @Test
    void shouldTrustEveryRecordAsSoonAsThereIsACodec() {
        try (AvroCodec codec = new AvroCodec(new TopicNames(""), Map.of("schema.registry.url", "mock://trust"))) {
            assertThat(codec).isNotNull();
            for (Topic<?> topic : Topics.all()) {
                assertThatCode(() -> ClassSecurityValidator.validate(topic.type()))
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void shouldTrustNothingElse() {
        AvroTrust.install();

        assertThatExceptionOfType(SecurityException.class)
                .isThrownBy(() -> ClassSecurityValidator.validate(ProcessBuilder.class));
    }
}
