package io.weir.scheduler.journal;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A record as received, byte for byte, with its origin. Immutable by convention: nobody writes to the arrays, and the
 * headers are read-only.
 */
public final class Input {
    /** Topic (not of the catalogue) of the inputs that intake makes itself; their offset is {@link #NO_OFFSET}. */
    public static final String INTAKE = "intake";

    /** Offset of an input that was never a record of its own. */
    public static final long NO_OFFSET = -1;

    /** What a header takes beside its name and its value, bytes: a record may have millions that are empty. */
    public static final int HEADER_BYTES = 64;

    private final String topic;
    private final int partition;
    private final long offset;
    private final long timestamp;
    private final Headers headers;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;

    /**
     * Creates an input.
     *
     * @param topic topic without prefix
     * @param timestamp record timestamp, milliseconds since 1970
     */
    public Input(
            String topic,
            int partition,
            long offset,
            long timestamp,
            Headers headers,
            byte @Nullable [] key,
            byte @Nullable [] value) {
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
        this.timestamp = timestamp;
        RecordHeaders copy = new RecordHeaders(headers.toArray());
        copy.setReadOnly();
        this.headers = copy;
        this.key = key;
        this.value = value;
    }

    /** Returns the topic it came from, without prefix. */
    public String topic() {
        return topic;
    }

    /** Returns the partition it came from. */
    public int partition() {
        return partition;
    }

    /** Returns the offset it had there. */
    public long offset() {
        return offset;
    }

    /** Returns the timestamp it had there, milliseconds since 1970. */
    public long timestamp() {
        return timestamp;
    }

    /** Returns its headers, read-only. */
    public Headers headers() {
        return headers;
    }

    /** Returns its key. */
    public byte @Nullable [] key() {
        return key;
    }

    /** Returns its value. */
    public byte @Nullable [] value() {
        return value;
    }

    /** Returns how many bytes key, value and headers have; each header counts {@link #HEADER_BYTES} more, for itself. */
    public long size() {
        long bytes = length(key) + length(value);
        for (Header header : headers) {
            bytes += HEADER_BYTES + header.key().length() + length(header.value());
        }
        return bytes;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** Names the place: {@code topic-partition@offset}. */
    @Override
    public String toString() {
        return topic + "-" + partition + "@" + offset;
    }
}
