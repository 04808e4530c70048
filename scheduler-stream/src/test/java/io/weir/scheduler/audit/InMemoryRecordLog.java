package io.weir.scheduler.audit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Topics of one partition each in memory, open to every kind of tampering. */
public final class InMemoryRecordLog implements RecordLog {
    private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topics = new TreeMap<>();
    private final Map<String, Long> nextOffsets = new TreeMap<>();
    private final Map<String, Long> corrupt = new TreeMap<>();
    private final Map<String, Long> beginnings = new TreeMap<>();
    private final Set<String> compacted = new TreeSet<>();
    private final Map<String, Long> seenEnds = new TreeMap<>();

    private final Map<String, Long> transactionEnds = new TreeMap<>();

    private boolean atHand;

    /** Appends a record and returns it. */
    public ConsumerRecord<byte[], byte[]> append(
            String topic, byte[] key, byte[] value, long timestamp, Headers headers) {
        long offset = nextOffsets.merge(topic, 1L, Long::sum) - 1;
        ConsumerRecord<byte[], byte[]> record = record(topic, offset, timestamp, headers, key, value);
        records(topic).add(record);
        return record;
    }

    /** Returns the records of {@code topic}, in order; changing the list changes the log. */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        return topics.computeIfAbsent(topic, name -> new ArrayList<>());
    }

    /** Makes the record at {@code offset} unreadable. */
    public void corrupt(String topic, long offset) {
        corrupt.put(topic, offset);
    }

    /** Says that retention deleted what lay before {@code offset}. */
    public void deletedBefore(String topic, long offset) {
        beginnings.put(topic, offset);
    }

    /** Lets {@code topic} end at {@code offset} until somebody looks at the end again: the rest was written since. */
    public void grownSince(String topic, long offset) {
        seenEnds.put(topic, offset);
    }

    /** Keeps the last record of every key. */
    public void compact(String topic) {
        compactable(topic);
        Map<String, Long> last = new TreeMap<>();
        records(topic).forEach(record -> last.put(new String(record.key(), StandardCharsets.UTF_8), record.offset()));
        records(topic)
                .removeIf(record -> last.get(new String(record.key(), StandardCharsets.UTF_8)) != record.offset());
    }

    /** Rewrites a record in place; {@code value} null leaves the value. */
    public void rewrite(String topic, int index, byte[] value) {
        ConsumerRecord<byte[], byte[]> old = records(topic).get(index);
        records(topic).set(index, record(topic, old.offset(), old.timestamp(), old.headers(), old.key(), value));
    }

    /** Swaps the contents of two records; offsets stay in order. */
    public void swap(String topic, int one, int other) {
        ConsumerRecord<byte[], byte[]> first = records(topic).get(one);
        ConsumerRecord<byte[], byte[]> second = records(topic).get(other);
        records(topic).set(one, at(second, first.offset()));
        records(topic).set(other, at(first, second.offset()));
    }

    private static ConsumerRecord<byte[], byte[]> at(ConsumerRecord<byte[], byte[]> record, long offset) {
        return record(record.topic(), offset, record.timestamp(), record.headers(), record.key(), record.value());
    }

    private static ConsumerRecord<byte[], byte[]> record(
            String topic, long offset, long timestamp, Headers headers, byte[] key, byte[] value) {
        return new ConsumerRecord<>(
                topic,
                0,
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                new RecordHeaders(headers.toArray()),
                Optional.empty());
    }

    @Override
    public int partitions(String topic) {
        return 1;
    }

    @Override
    public long beginning(TopicPartition partition) {
        return beginnings.getOrDefault(partition.topic(), 0L);
    }

    @Override
    public long end(TopicPartition partition) {
        return seenEnds.getOrDefault(partition.topic(), nextOffsets.getOrDefault(partition.topic(), 0L));
    }

    @Override
    public void refresh(TopicPartition partition) {
        seenEnds.remove(partition.topic());
    }

    @Override
    public boolean isAtHand() {
        return atHand;
    }

    /** Says that nothing is added any more. */
    public void settled() {
        atHand = true;
    }

    @Override
    public Segments segments(String topic) {
        return compacted.contains(topic) ? Segments.UNKNOWN : new Segments(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Ends a transaction, which takes an offset, at a time of the broker's own. */
    public void endTransaction(String topic, long timestamp) {
        nextOffsets.merge(topic, 1L, Long::sum);
        transactionEnds.merge(topic, timestamp, Math::max);
    }

    @Override
    public boolean isDatedSince(TopicPartition partition, long timestamp) {
        return transactionEnds.getOrDefault(partition.topic(), Long.MIN_VALUE) >= timestamp
                || records(partition.topic()).stream().anyMatch(record -> record.timestamp() >= timestamp);
    }

    /** Says that segments of {@code topic} may have been closed. */
    public void compactable(String topic) {
        compacted.add(topic);
    }

    @Override
    public Reader read(TopicPartition partition, long offset) {
        List<ConsumerRecord<byte[], byte[]>> records = records(partition.topic()).stream()
                .filter(record -> record.offset() >= offset)
                .toList();
        return new Reader() {
            private int next;

            @Override
            public Entry next() {
                if (next == records.size() || records.get(next).offset() >= end(partition)) {
                    return null;
                }
                ConsumerRecord<byte[], byte[]> record = records.get(next++);
                Long bad = corrupt.get(partition.topic());
                return bad != null && bad == record.offset()
                        ? new Corrupt(partition, bad, bad + 1, "checksum")
                        : new Found(record);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
