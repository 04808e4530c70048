package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Makes dead letters: the record as it was received, where it came from and why it was given up. Immutable. */
public final class DeadLetterFactory {
    /** What the letters of the notifier say of their origin. */
    public static final String SERVICE = "notifier";

    /** A longer value, which only a topic of other making holds, is cut: its dead letter has to fit its own topic. */
    private static final int LONGEST_VALUE_BYTES = RecordSize.most(Topics.NOTIFICATIONS);

    private final TopicNames names;

    public DeadLetterFactory(TopicNames names) {
        this.names = names;
    }

    /** Returns the dead letter of {@code record}, which {@code channel} gave up: sent again, it goes to that one alone. */
    Outgoing<DeadLetter> of(ConsumerRecord<byte[], byte[]> record, String code, String message, String channel) {
        RecordHeaders headers = new RecordHeaders(record.headers());
        FactHeaders.CHANNEL.put(headers, channel);
        return of(record, code, message, headers);
    }

    /** Returns the dead letter of {@code record}. */
    Outgoing<DeadLetter> of(ConsumerRecord<byte[], byte[]> record, String code, String message) {
        return of(record, code, message, record.headers());
    }

    private Outgoing<DeadLetter> of(
            ConsumerRecord<byte[], byte[]> record, String code, String message, Headers headers) {
        byte @Nullable [] value = record.value();
        boolean cut = value != null && value.length > LONGEST_VALUE_BYTES;
        DeadLetter letter = DeadLetter.newBuilder()
                .setService(SERVICE)
                .setTopic(names.base(record.topic()).orElse(record.topic()))
                .setPartition(record.partition())
                .setOffset(record.offset())
                .setTimestamp(record.timestamp())
                .setCause(code)
                .setMessage(cut ? message + " (value cut from " + value.length + " bytes)" : message)
                .setKey(buffer(record.key()))
                .setValue(buffer(cut ? Arrays.copyOf(value, LONGEST_VALUE_BYTES) : value))
                .setHeaders(records(headers))
                .setTruncated(cut)
                .build();
        return new Outgoing<>(Topics.DEAD_LETTERS, EntityKey.ofCluster(cluster(record)), letter);
    }

    private static String cluster(ConsumerRecord<byte[], byte[]> record) {
        byte @Nullable [] key = record.key();
        return key == null ? "" : EntityKey.parse(key).cluster();
    }

    private static List<RecordHeader> records(Headers headers) {
        List<RecordHeader> records = new ArrayList<>();
        for (Header header : headers) {
            records.add(RecordHeader.newBuilder()
                    .setName(header.key())
                    .setValue(buffer(header.value()))
                    .build());
        }
        return records;
    }

    private static @Nullable ByteBuffer buffer(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }
}
