package io.weir.scheduler.audit;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Committed records of topics, in order: the audit's only view of a broker. The end of a partition is fixed when it is
 * first asked for, until {@link #refresh}. Thread-safe, but each reader belongs to one thread.
 */
public interface RecordLog extends AutoCloseable {
    /** Returns how many partitions {@code topic} (full name) has; 0 when there is no such topic. */
    int partitions(String topic);

    /** Returns the first offset still retained. */
    long beginning(TopicPartition partition);

    /** Returns the offset behind the last committed record. */
    long end(TopicPartition partition);

    /** Looks at the end of {@code partition} again, for readers opened before, too. */
    void refresh(TopicPartition partition);

    /** Says whether all of it is in memory and nothing is added: then it is in vain to read ahead, or to wait for more. */
    default boolean isAtHand() {
        return false;
    }

    /** Returns when the broker closes a segment of {@code topic}; only closed segments are compacted. */
    Segments segments(String topic);

    /**
     * Says whether anything in {@code partition} is dated {@code timestamp} or later: a record, or the end of a transaction,
     * which no reader sees and which bears the broker's time, however old its records are.
     */
    boolean isDatedSince(TopicPartition partition, long timestamp);

    /** Opens a reader at the beginning of {@code partition}. */
    default Reader read(TopicPartition partition) {
        return read(partition, beginning(partition));
    }

    /** Opens a reader at {@code offset} of {@code partition}, which is not before its beginning. */
    Reader read(TopicPartition partition, long offset);

    @Override
    void close();

    /** Reads one partition once, from where it was opened to its end. */
    interface Reader extends AutoCloseable {
        /** Returns what comes next; null at the end. */
        @Nullable
        Entry next();

        @Override
        void close();
    }

    /**
     * When a segment is closed.
     *
     * @param millis when the timestamps in it span more than this
     * @param bytes when it may have grown beyond this
     */
    record Segments(long millis, long bytes) {
        /** Segments of a topic about which nothing is known: they may be closed at any time. */
        static final Segments UNKNOWN = new Segments(0, 0);
    }

    /** What a partition holds at a place. */
    sealed interface Entry {}

    /**
     * A record.
     *
     * @param value the record
     */
    record Found(ConsumerRecord<byte[], byte[]> value) implements Entry {}

    /**
     * Bytes that are not what was written there: their checksum is wrong.
     *
     * @param partition where
     * @param from first offset that cannot be read
     * @param to offset behind the last one
     * @param message what the reader said
     */
    record Corrupt(TopicPartition partition, long from, long to, String message) implements Entry {
        @Override
        public String toString() {
            return partition + "@" + from + (to > from + 1 ? ".." + (to - 1) : "") + ": " + message;
        }
    }
}
