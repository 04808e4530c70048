package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.weir.schemas.DeadLetter;
import org.apache.avro.util.ClassSecurityValidator;
import org.junit.jupiter.api.Test;

class AvroTrustTest {

    @Test
    void shouldLetAvroInstantiateGeneratedRecords() {
        AvroTrust.install();

        assertThatCode(() -> ClassSecurityValidator.validate(DeadLetter.class)).doesNotThrowAnyException();
    }
}
