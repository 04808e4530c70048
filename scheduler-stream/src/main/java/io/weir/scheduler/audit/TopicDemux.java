package io.weir.scheduler.audit;

import io.weir.topics.EntityKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a topic, handed out by cluster: what is read past on the way to one cluster's next record waits for
 * its own. Places that cannot be read are noted and passed over; records that were sent again are passed over. One thread.
 */
final class TopicDemux implements AutoCloseable {
    private static final int LOOKS = 10;
    private static final long LOOK_MILLIS = 50;

    /** What a record takes beside key and value, generously, and the end of a transaction in all: each has an offset. */
    private static final int PLACE_BYTES = 100;

    /** Stands for a cluster without records. */
    private static final String NOBODY = "\0";

    private final TopicPartition partition;
    private final RecordLog.Reader reader;
    private final List<RecordLog.Corrupt> corrupt;
    private final RecordLog log;
    private final RedrivenOutputs redriven;

    /** Where the topic ended when the audit began; what lies behind it came from a scheduler that runs on. */
    private final long firstEnd;

    /** Whether waiting for what the journal derives was in vain once. */
    private boolean exhausted;

    private final Map<String, Deque<ConsumerRecord<byte[], byte[]>>> waiting = new TreeMap<>();

    /** Clusters that have records here. */
    private final Set<String> clusters = new HashSet<>();

    private long firstOffset = Long.MAX_VALUE;
    private long firstTimestamp = Long.MAX_VALUE;
    private long lastTimestamp = Long.MIN_VALUE;
    private long bytes;

    TopicDemux(TopicPartition partition, RecordLog log, List<RecordLog.Corrupt> corrupt, RedrivenOutputs redriven) {
        this.partition = partition;
        this.log = log;
        this.redriven = redriven;
        this.firstEnd = log.end(partition);
        this.reader = log.read(partition);
        this.corrupt = corrupt;
    }

    TopicPartition partition() {
        return partition;
    }

    /** Returns the next record of {@code cluster} without taking it; null at the end. */
    @Nullable
    ConsumerRecord<byte[], byte[]> peek(String cluster) {
        Deque<ConsumerRecord<byte[], byte[]>> own = waiting.computeIfAbsent(cluster, name -> new ArrayDeque<>());
        while (own.isEmpty()) {
            RecordLog.@Nullable Entry entry = reader.next();
            if (entry == null) {
                return null;
            }
            if (entry instanceof RecordLog.Corrupt place) {
                corrupt.add(place);
            } else if (entry instanceof RecordLog.Found found) {
                ConsumerRecord<byte[], byte[]> record = found.value();
                String owner = clusterOf(record);
                clusters.add(owner);
                measure(record);
                if (!redriven.isOne(record, isSettled(record))) {
                    waiting.computeIfAbsent(owner, name -> new ArrayDeque<>()).add(record);
                }
            }
        }
        return own.peek();
    }

    /**
     * Like {@link #peek} for a record that the journal says was written: a transaction ends on each of its partitions a
     * moment apart, and a scheduler that runs writes on, so the end is looked at again before it counts as missing.
     */
    @Nullable
    ConsumerRecord<byte[], byte[]> await(String cluster) {
        ConsumerRecord<byte[], byte[]> next = peek(cluster);
        for (int i = 0; next == null && i < LOOKS && !exhausted && !log.isAtHand(); i++) {
            log.refresh(partition);
            next = peek(cluster);
            if (next == null) {
                pause();
            }
        }
        exhausted |= next == null;
        return next;
    }

    /** Says whether {@code record} was there when the audit began. */
    boolean isSettled(ConsumerRecord<byte[], byte[]> record) {
        return record.offset() < firstEnd;
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /** Takes the record that {@link #peek} returned. */
    void take(String cluster) {
        Deque<ConsumerRecord<byte[], byte[]>> own = waiting.get(cluster);
        if (own != null) {
            own.poll();
        }
    }

    private void measure(ConsumerRecord<byte[], byte[]> record) {
        firstOffset = Math.min(firstOffset, record.offset());
        firstTimestamp = Math.min(firstTimestamp, record.timestamp());
        lastTimestamp = Math.max(lastTimestamp, record.timestamp());
        bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    }

    /**
     * Reads to the end; says whether the broker can have closed a segment of this partition, whose records belong to all of
     * its clusters. Where the first records are gone, they may have been older than any that is left.
     *
     * @param ownFirst timestamp of the first record that one cluster wrote, which may be gone
     * @param ownLast timestamp of its last one
     * @param ownBytes size of all its records
     */
    boolean isSegmentClosed(RecordLog.Segments segments, long ownFirst, long ownLast, long ownBytes) {
        peek(NOBODY);
        long first = Math.min(firstTimestamp, ownFirst);
        long last = Math.max(lastTimestamp, ownLast);
        boolean firstGone = clusters.size() > 1 && firstOffset > 0;
        long size = bytes + ownBytes + PLACE_BYTES * log.end(partition);
        return firstGone
                || size > segments.bytes()
                || last - first > segments.millis()
                || (first <= Long.MAX_VALUE - segments.millis() - 1
                        && log.isDatedSince(partition, first + segments.millis() + 1));
    }

    /** Reads to the end; returns a record of a cluster not among {@code known}, if there is one. */
    @Nullable
    ConsumerRecord<byte[], byte[]> stranger(Iterable<String> known) {
        peek(NOBODY);
        for (String cluster : known) {
            waiting.remove(cluster);
        }
        for (Deque<ConsumerRecord<byte[], byte[]>> records : waiting.values()) {
            if (!records.isEmpty()) {
                return records.peek();
            }
        }
        return null;
    }

    private static String clusterOf(ConsumerRecord<byte[], byte[]> record) {
        return record.key() == null ? "" : EntityKey.parse(record.key()).cluster();
    }

    @Override
    public void close() {
        reader.close();
    }
}
