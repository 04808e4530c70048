package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
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

    @Test
    void shouldLeaveATimestampAloneThatKafkaStreamsTakes() {
        ConsumerRecord<Object, Object> record = at(0);

        assertThat(new RecordTimestamps().extract(record, 7)).isZero();
        assertThat(record.headers()).isEmpty();
        assertThat(new RecordTimestamps().extract(at(5), 7)).isEqualTo(5);
    }

    @Test
    void shouldCarryANegativeTimestampPastKafkaStreams() {
        ConsumerRecord<Object, Object> record = at(-1);
        record.headers().add("sent", new byte[] {1});

        long extracted = new RecordTimestamps().extract(record, 7);

        assertThat(extracted).isZero();
        assertThat(RecordTimestamps.asReceived(extracted, record.headers())).isEqualTo(-1);
        assertThat(RecordTimestamps.headersAsReceived(record.headers()))
                .extracting(Header::key)
                .containsExactly("sent");
        assertThat(record.headers().lastHeader(HEADER))
                .as("what Kafka Streams has stays as it is")
                .isNotNull();
    }

    @Test
    void shouldReturnHeadersAsTheyAreWhereNoneWasAdded() {
        Headers headers = new RecordHeaders().add("sent", new byte[] {1});

        assertThat(RecordTimestamps.headersAsReceived(headers)).isSameAs(headers);
    }

    private static ConsumerRecord<Object, Object> at(long timestamp) {
        return new ConsumerRecord<>(
                "rm.jobs",
                0,
                0,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                0,
                new byte[0],
                new byte[0],
                new RecordHeaders(),
                Optional.empty());
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static Headers header(byte[] value) {
        return new RecordHeaders().add(HEADER, value);
    }
}
