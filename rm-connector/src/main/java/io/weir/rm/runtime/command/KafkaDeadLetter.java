package io.weir.rm.runtime.command;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.RecordHeader;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Makes dead letters of records that cannot be decoded. */
final class KafkaDeadLetter {
    private static final String SERVICE = "rm-connector";
    private static final String CAUSE = "UNDECODABLE";

    /** What is longer is cut: a dead letter has to fit into one record. */
    private static final int MOST_BYTES = 1 << 18;

    private KafkaDeadLetter() {}

    /** Returns the dead letter of {@code message}, as received, with its origin and the cause. */
    static DeadLetter of(ConsumerRecord<byte[], byte[]> message, TopicNames names, PoisonRecordException cause) {
        List<RecordHeader> headers = new ArrayList<>();
        for (Header header : message.headers()) {
            headers.add(new RecordHeader(header.key(), wrap(header.value())));
        }
        return DeadLetter.newBuilder()
                .setService(SERVICE)
                .setTopic(names.topic(message.topic()).map(Topic::name).orElse(message.topic()))
                .setPartition(message.partition())
                .setOffset(message.offset())
                .setTimestamp(message.timestamp())
                .setCause(CAUSE)
                .setMessage(cause.getMessage())
                .setKey(wrap(message.key()))
                .setValue(wrap(message.value()))
                .setHeaders(headers)
                .setTruncated(isLong(message.key()) || isLong(message.value()))
                .build();
    }

    private static boolean isLong(byte @Nullable [] bytes) {
        return bytes != null && bytes.length > MOST_BYTES;
    }

    private static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
        return bytes == null ? null : ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, MOST_BYTES));
    }
}
