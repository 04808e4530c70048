package io.weir.notifier.runtime.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The records of one partition that wait to go out together, from the position of the group on. Those in between that are
 * not for the reader are passed with them. Owned by its loop.
 */
final class Holding {

    private static final long MOST_BYTES = 32L << 20;

    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    private final Instant since;
    private final Instant until;
    private final OptionalLong through;
    private long bytes;
    private long next;

    /**
     * Begins a holding at {@code since} that is due at {@code until}, or, when it repeats an earlier one, at the offset
     * {@code through}.
     */
    Holding(Instant since, Instant until, OptionalLong through) {
        this.since = since;
        this.until = until;
        this.through = through;
    }

    void add(ConsumerRecord<byte[], byte[]> record) {
        records.add(record);
        bytes += (record.value() == null ? 0 : record.value().length) + 200;
        next = record.offset() + 1;
    }

    /** Goes past a record that is not for the reader. */
    void pass(long offset) {
        next = offset + 1;
    }

    boolean isFull(int most) {
        return records.size() >= most || bytes >= MOST_BYTES;
    }

    /** A clock that shows less than at the beginning was put back, and nothing waits for it to come again. */
    boolean isDue(Instant now) {
        return through.isPresent() ? next >= through.getAsLong() : !now.isBefore(until) || now.isBefore(since);
    }

    List<ConsumerRecord<byte[], byte[]>> records() {
        return records;
    }

    /** The position behind all that is held and passed. */
    long next() {
        return next;
    }

    /** Whether it is the same as one that had been begun by a process before this one. */
    boolean isRepeated() {
        return through.isPresent();
    }
}
