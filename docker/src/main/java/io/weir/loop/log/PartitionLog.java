package io.weir.loop.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** The records of one partition, in order, some of them not committed yet or never. */
final class PartitionLog {
    private final TopicPartition name;
    private final TopicShape shape;
    private final List<StoredRecord> records = new ArrayList<>();

    /** First offset of each open transaction, in the order in which they began. */
    private final Map<Transaction, Long> open = new LinkedHashMap<>();

    private long beginning;
    private long end;

    /** First offset of the segment that is written to. */
    private long activeFrom;

    private long activeFirstTimestamp = Long.MAX_VALUE;

    PartitionLog(TopicPartition name, TopicShape shape) {
        this.name = name;
        this.shape = shape;
    }

    TopicPartition name() {
        return name;
    }

    TopicShape shape() {
        return shape;
    }

    /** Appends a record and returns its offset. */
    long append(
            long timestamp,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            @Nullable Transaction transaction) {
        if (transaction != null) {
            transaction.wroteTo(this);
        }
        if (activeFirstTimestamp == Long.MAX_VALUE || timestamp - activeFirstTimestamp > shape.segmentMillis()) {
            activeFrom = end;
            activeFirstTimestamp = timestamp;
        }
        records.add(new StoredRecord(end, timestamp, key, value, new RecordHeaders(headers), transaction, false));
        return end++;
    }

    void opened(Transaction transaction) {
        open.put(transaction, end);
    }

    void closed(Transaction transaction, long timestamp) {
        records.add(new StoredRecord(end++, timestamp, null, null, new RecordHeaders(), transaction, true));
        open.remove(transaction);
    }

    /** Returns the first offset that is still there. */
    long beginning() {
        return beginning;
    }

    /** Returns the offset behind the last record, committed or not. */
    long end() {
        return end;
    }

    /** Returns the last stable offset: before it every transaction has ended. */
    long stableEnd() {
        return open.isEmpty() ? end : open.values().iterator().next();
    }

    /** Returns the end for readers of that isolation. */
    long end(boolean committedOnly) {
        return committedOnly ? stableEnd() : end;
    }

    /**
     * Gives {@code reader} the records from {@code offset} on, as far as that isolation lets it see, and returns the
     * offset to go on from.
     */
    long read(long offset, boolean committedOnly, int most, Consumer<StoredRecord> reader) {
        long limit = end(committedOnly);
        int given = 0;
        for (int index = indexOf(offset); index < records.size(); index++) {
            StoredRecord record = records.get(index);
            if (record.offset() >= limit) {
                break;
            }
            if (!record.marker() && (!committedOnly || record.isCommitted())) {
                if (given++ == most) {
                    return record.offset();
                }
                reader.accept(record);
            }
        }
        return Math.max(offset, limit);
    }

    /** Says whether there is a record for a reader at {@code offset}, or at least a better place to wait at. */
    boolean hasMore(long offset, boolean committedOnly) {
        return offset < end(committedOnly) || offset < beginning;
    }

    /** Forgets all before {@code offset}, at most what is stable. */
    void deleteBefore(long offset) {
        long limit = Math.min(offset, stableEnd());
        beginning = Math.max(beginning, limit);
        records.removeIf(record -> record.offset() < limit);
    }

    /** Of closed segments, keeps the latest stable record of each key, and tombstones unless told. Offsets stay. */
    void compact(boolean tombstones) {
        long limit = Math.min(stableEnd(), activeFrom);
        Map<Bytes, Long> latest = new HashMap<>();
        for (StoredRecord record : records) {
            if (record.offset() < limit && isData(record)) {
                latest.put(Bytes.wrap(record.key()), record.offset());
            }
        }
        records.removeIf(record -> record.offset() < limit
                && (!isData(record)
                        || latest.getOrDefault(Bytes.wrap(record.key()), -1L) != record.offset()
                        || (tombstones && record.value() == null)));
    }

    private static boolean isData(StoredRecord record) {
        return !record.marker() && record.isCommitted() && record.key() != null;
    }

    private int indexOf(long offset) {
        int low = 0;
        int high = records.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (records.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
