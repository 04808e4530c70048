package io.weir.loop.log;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What lies at an offset: a record, or the marker with which a transaction ends.
 *
 * @param transaction to which it belongs; null for none
 * @param marker whether it is a marker, which no reader sees
 */
@SuppressWarnings("ArrayRecordComponent") // Records of the log are never compared.
record StoredRecord(
        long offset,
        long timestamp,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Headers headers,
        @Nullable Transaction transaction,
        boolean marker) {
    /** Length of a record batch with one record, without key, value and headers, rounded up. */
    private static final int OVERHEAD_BYTES = 72;

    private static final int HEADER_OVERHEAD_BYTES = 4;

    boolean isCommitted() {
        return transaction == null || transaction.state() == Transaction.State.COMMITTED;
    }

    /** Returns the size of a record without compression. */
    static int bytes(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        int bytes = OVERHEAD_BYTES + length(key) + length(value);
        for (Header header : headers) {
            bytes += HEADER_OVERHEAD_BYTES + header.key().length() + length(header.value());
        }
        return bytes;
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
