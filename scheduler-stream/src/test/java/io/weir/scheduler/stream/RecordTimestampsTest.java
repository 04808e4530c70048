package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class RecordTimestampsTest {
    private static final String HEADER = "weir-timestamp-as-received";

    @Test
    void shouldBearAHeaderOfItsNameThatSomebodySent() {
        assertThat(RecordTimestamps.asReceived(0, header(null))).isZero();
        assertThat(RecordTimestamps.asReceived(0, header(new byte[3]))).isZero();
        assertThat(RecordTimestamps.asReceived(0, header(number(Long.MAX_VALUE))))
                .isZero();
        assertThat(RecordTimestamps.asReceived(5, header(number(-7)))).isEqualTo(5);
    }

    @Test
    void shouldGiveBackTheTimestampThatKafkaStreamsDoesNotTake() {
        assertThat(RecordTimestamps.asReceived(0, header(number(-7)))).isEqualTo(-7);
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static Headers header(byte[] value) {
        return new RecordHeaders().add(HEADER, value);
    }
}
