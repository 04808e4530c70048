package io.weir.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.DeadLetter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DeadLetterFormTest {
    private static final DeadLetterForm FORM = new DeadLetterForm("service");
    private static final TopicNames NAMES = new TopicNames("weir.");

    private final DeadLetterForm.Origin origin = new DeadLetterForm.Origin("requests", 3, 17, 1000);

    @Test
    void shouldKeepWhatFits() {
        Headers headers = new RecordHeaders().add("a", new byte[] {1}).add("b", null);

        DeadLetter letter = FORM.of(origin, new byte[] {2}, null, headers, "CAUSE", "why");

        assertThat(letter.getService()).isEqualTo("service");
        assertThat(letter.getTopic()).isEqualTo("requests");
        assertThat(letter.getPartition()).isEqualTo(3);
        assertThat(letter.getOffset()).isEqualTo(17);
        assertThat(letter.getTimestamp()).isEqualTo(1000);
        assertThat(letter.getCause()).isEqualTo("CAUSE");
        assertThat(letter.getMessage()).isEqualTo("why");
        assertThat(letter.getKey()).isEqualTo(ByteBuffer.wrap(new byte[] {2}));
        assertThat(letter.getValue()).isNull();
        assertThat(letter.getHeaders()).hasSize(2);
        assertThat(letter.getTruncated()).isFalse();
    }

    @Test
    void shouldFitOnItsTopicWhateverTheRecord() {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < 100_000; i++) {
            headers.add("h", new byte[0]);
        }
        headers.add("long", new byte[3 << 20]);
        String message = "x".repeat(1 << 20);

        DeadLetter letter = FORM.of(origin, new byte[3 << 20], new byte[3 << 20], headers, "CAUSE", message);

        int bytes = letter.getKey().remaining() + letter.getValue().remaining();
        for (io.weir.schemas.RecordHeader header : letter.getHeaders()) {
            bytes += 64 + header.getName().length();
        }
        assertThat(bytes + 4 * letter.getMessage().length()).isLessThan(RecordSize.most(Topics.DEAD_LETTERS));
        assertThat(letter.getTruncated()).isTrue();
        assertThat(letter.getMessage())
                .contains("key cut to its first 4096 of 3145728 bytes, SHA-256 ")
                .contains("value cut to its first 1048576 of 3145728 bytes, SHA-256 ")
                .contains("headers left out");
    }

    @Test
    void shouldNameTheTopicWithoutPrefix() {
        byte[] value = new byte[100];
        Arrays.fill(value, (byte) 7);
        DeadLetterForm small = new DeadLetterForm("service", 10);

        DeadLetter ours = small.of(new ConsumerRecord<>("weir.requests", 1, 2, null, value), NAMES, "CAUSE", "why");
        DeadLetter others = small.of(new ConsumerRecord<>("theirs", 1, 2, null, value), NAMES, "CAUSE", "why");

        assertThat(ours.getTopic()).isEqualTo("requests");
        assertThat(others.getTopic()).isEqualTo("theirs");
        assertThat(ours.getValue().remaining()).isEqualTo(10);
    }
}
