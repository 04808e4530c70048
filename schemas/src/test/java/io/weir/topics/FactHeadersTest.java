package io.weir.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FactHeadersTest {

    private final Headers headers = new RecordHeaders();

    @Test
    void shouldReadWhatItPut() {
        FactHeaders.CONNECTOR.put(headers, "slürm-1");
        FactHeaders.SEQUENCE.put(headers, Long.MIN_VALUE);

        assertThat(FactHeaders.CONNECTOR.get(headers)).contains("slürm-1");
        assertThat(FactHeaders.SEQUENCE.get(headers)).hasValue(Long.MIN_VALUE);
        assertThat(headers.lastHeader("weir-seq").value()).isEqualTo("-9223372036854775808".getBytes(UTF_8));
    }

    @Test
    void shouldReplaceWhatWasThere() {
        FactHeaders.EPOCH.put(headers, 1);
        FactHeaders.EPOCH.put(headers, 2);

        assertThat(headers.headers("weir-epoch")).hasSize(1);
        assertThat(FactHeaders.EPOCH.get(headers)).hasValue(2);
    }

    @Test
    void shouldTakeTheLastOfSeveral() {
        headers.add("weir-epoch", "1".getBytes(UTF_8)).add("weir-epoch", "5".getBytes(UTF_8));

        assertThat(FactHeaders.EPOCH.get(headers)).hasValue(5);
    }

    @Test
    void shouldBeEmptyWhenAbsentOrNull() {
        headers.add("weir-connector", null).add("weir-epoch", null);

        assertThat(FactHeaders.CONNECTOR.get(headers)).isEmpty();
        assertThat(FactHeaders.EPOCH.get(headers)).isEmpty();
        assertThat(FactHeaders.SEQUENCE.get(headers)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 1", "1.0", "0x1", "99999999999999999999", "1234567890123456789012345", "ä"})
    void shouldBeEmptyWhenNotANumber(String value) {
        headers.add("weir-epoch", value.getBytes(UTF_8));

        assertThat(FactHeaders.EPOCH.get(headers)).isEmpty();
    }
}
