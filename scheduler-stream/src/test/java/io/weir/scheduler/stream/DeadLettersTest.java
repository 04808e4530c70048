package io.weir.scheduler.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.RecordSink;
import io.weir.scheduler.journal.Sha256;
import io.weir.scheduler.stream.DeadLetters.Cause;
import io.weir.schemas.DeadLetter;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a dead letter says, and how much of a record it keeps: 1 MiB of the value, 4 KiB of the key, 64 KiB of headers. */
@NullUnmarked
class DeadLettersTest {
    private static final byte[] KEY = "alpha/j1".getBytes(StandardCharsets.UTF_8);
    private static final int MOST_VALUE = 1 << 20;
    private static final int MOST_KEY = 1 << 12;
    private static final int MOST_HEADERS = 1 << 16;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AvroCodec codec =
            new AvroCodec(StreamHarness.NAMES, Map.of("schema.registry.url", "mock://dead-letters"));
    private final DeadLetters letters = new DeadLetters(
            codec,
            new RecordSink() {
                @Override
                public void send(Topic<?> topic, byte[] key, byte[] value, long timestamp, Headers headers) {
                    assertThat(topic).isEqualTo(Topics.DEAD_LETTERS);
                    sentKey = new String(key, StandardCharsets.UTF_8);
                    sentAt = timestamp;
                    last = codec.decode(Topics.DEAD_LETTERS, value);
                }

                @Override
                public void requestCommit() {
                    throw new AssertionError("a dead letter asks for no commit");
                }
            },
            () -> 99,
            new StreamMetrics(meters));

    private String sentKey;
    private long sentAt;
    private DeadLetter last;

    @AfterEach
    void close() {
        codec.close();
    }

    @Test
    void shouldKeepARecordWholeWithWhereItCameFromAndWhy() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("name", new byte[] {5});
        headers.add("none", null);
        letters.write(new Input("rm.jobs", 3, 7, 77, headers, KEY, new byte[] {1, 2}), "alpha", Cause.NO_ROOM, "why");

        assertThat(sentKey).isEqualTo("alpha");
        assertThat(sentAt).isEqualTo(99);
        assertThat(last.getService()).isEqualTo("scheduler");
        assertThat(last.getTopic()).isEqualTo("rm.jobs");
        assertThat(last.getPartition()).isEqualTo(3);
        assertThat(last.getOffset()).isEqualTo(7);
        assertThat(last.getTimestamp()).isEqualTo(77);
        assertThat(last.getCause()).isEqualTo("NO_ROOM");
        assertThat(last.getMessage()).isEqualTo("why");
        assertThat(last.getKey()).isEqualTo(ByteBuffer.wrap(KEY));
        assertThat(last.getValue()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
        assertThat(last.getHeaders()).extracting(header -> header.getName()).containsExactly("name", "none");
        assertThat(last.getHeaders().get(0).getValue()).isEqualTo(ByteBuffer.wrap(new byte[] {5}));
        assertThat(last.getHeaders().get(1).getValue()).isNull();
        assertThat(last.getTruncated()).isFalse();
        assertThat(meters.get("weir.dead.letters")
                        .tag("cause", "NO_ROOM")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldKeepAValueOfTheLargestSizeAndCutALargerOne() {
        write(KEY, new byte[MOST_VALUE], new RecordHeaders());
        assertThat(last.getValue().remaining()).isEqualTo(MOST_VALUE);
        assertThat(last.getMessage()).isEqualTo("why");

        byte[] larger = new byte[MOST_VALUE + 1];
        write(KEY, larger, new RecordHeaders());

        assertThat(last.getValue().remaining()).isEqualTo(MOST_VALUE);
        assertThat(last.getMessage())
                .isEqualTo("why; value cut to its first 1048576 of 1048577 bytes, SHA-256 "
                        + Sha256.hex(Sha256.of(larger)));
        assertThat(last.getTruncated()).isTrue();
    }

    @Test
    void shouldKeepAKeyOfTheLargestSizeAndCutALargerOne() {
        write(new byte[MOST_KEY], new byte[1], new RecordHeaders());
        assertThat(last.getKey().remaining()).isEqualTo(MOST_KEY);
        assertThat(last.getTruncated()).isFalse();

        write(new byte[MOST_KEY + 1], new byte[1], new RecordHeaders());

        assertThat(last.getKey().remaining()).isEqualTo(MOST_KEY);
        assertThat(last.getMessage()).startsWith("why; key cut to its first 4096 of 4097 bytes, SHA-256 ");
    }

    @Test
    void shouldKeepARecordOfWhichNothingIsThere() {
        write(null, null, new RecordHeaders());

        assertThat(last.getKey()).isNull();
        assertThat(last.getValue()).isNull();
        assertThat(last.getTruncated()).isFalse();
    }

    @Test
    void shouldLeaveOutTheHeadersBehindTheMostThatAreKept() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("a", new byte[MOST_HEADERS - 1 - Input.HEADER_BYTES]);
        write(KEY, new byte[1], headers);
        assertThat(last.getHeaders()).hasSize(1);
        assertThat(last.getTruncated()).isFalse();

        headers.add("b", null);
        headers.add("c", null);
        write(KEY, new byte[1], headers);

        assertThat(last.getHeaders()).extracting(header -> header.getName()).containsExactly("a");
        assertThat(last.getMessage()).isEqualTo("why; 2 headers left out");
        assertThat(last.getTruncated()).isTrue();
    }

    @Test
    void shouldCountTheNamesOfHeadersAmongTheirBytes() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("long-name", new byte[MOST_HEADERS - 9 - Input.HEADER_BYTES]);
        write(KEY, new byte[1], headers);
        assertThat(last.getHeaders()).hasSize(1);

        RecordHeaders larger = new RecordHeaders();
        larger.add("long-name", new byte[MOST_HEADERS - 9 - Input.HEADER_BYTES + 1]);
        write(KEY, new byte[1], larger);
        assertThat(last.getHeaders()).isEmpty();
    }

    private void write(byte[] key, byte[] value, Headers headers) {
        letters.write(new Input("rm.jobs", 0, 7, 77, headers, key, value), "alpha", Cause.NO_ROOM, "why");
    }
}
