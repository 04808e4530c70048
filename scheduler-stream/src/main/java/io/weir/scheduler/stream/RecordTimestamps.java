package io.weir.scheduler.stream;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps as Kafka Streams will have them: it stops at negative ones, and intake wants to see them. A negative
 * timestamp becomes 0, and what it was travels to the processor in a header that never leaves the process. Never throws.
 */
public final class RecordTimestamps implements TimestampExtractor {
    private static final String AS_RECEIVED = "weir-timestamp-as-received";

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        if (record.timestamp() >= 0) {
            return record.timestamp();
        }
        byte[] asReceived =
                ByteBuffer.allocate(Long.BYTES).putLong(record.timestamp()).array();
        record.headers().add(AS_RECEIVED, asReceived);
        return 0;
    }

    /** Returns the timestamp the record came with. */
    static long asReceived(long extracted, Headers headers) {
        @Nullable Header header = headers.lastHeader(AS_RECEIVED);
        byte[] asReceived = header == null ? null : header.value();
        if (extracted != 0 || asReceived == null || asReceived.length != Long.BYTES) {
            return extracted;
        }
        // A producer may have sent such a header itself; only what extract() writes is one of ours.
        return Math.min(extracted, ByteBuffer.wrap(asReceived).getLong());
    }

    /** Returns the headers the record came with. */
    static Headers headersAsReceived(Headers headers) {
        return headers.lastHeader(AS_RECEIVED) == null ? headers : new RecordHeaders(headers).remove(AS_RECEIVED);
    }
}
