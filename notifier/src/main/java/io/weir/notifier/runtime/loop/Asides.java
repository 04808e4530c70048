package io.weir.notifier.runtime.loop;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that wait for their next attempts while the group's position goes past them. The position names them, so that another
 * process, or this one after a crash, reads them again. Owned by its loop.
 */
final class Asides {
    private static final Logger log = LoggerFactory.getLogger(Asides.class);

    /** Of a partition: their offsets have to fit beside a position, and a receiver that puts off all is no exception. */
    private static final int MOST = 64;

    private final Map<TopicPartition, SortedMap<Long, Work>> works = new HashMap<>();

    /** Those that are named by a position and have not been read again: their next attempts by their offsets. */
    private final Map<TopicPartition, SortedMap<Long, Integer>> named = new HashMap<>();

    /** The positions that name them: what lies before is read again for them alone. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    /** Takes over what {@code position} names; returns from where on it is to be read again. */
    OptionalLong resume(TopicPartition partition, OffsetAndMetadata position) {
        SortedMap<Long, Integer> attempts = BeginningMark.aside(position);
        if (attempts.isEmpty()) {
            return OptionalLong.empty();
        }
        named.put(partition, attempts);
        positions.put(partition, position.offset());
        return OptionalLong.of(attempts.firstKey());
    }

    /** Forgets partitions that were taken away. */
    void revoke(Collection<TopicPartition> partitions) {
        works.keySet().removeAll(partitions);
        named.keySet().removeAll(partitions);
        positions.keySet().removeAll(partitions);
    }

    /** Returns whether {@code record} lies before the group's position: it is one of these, or was settled before. */
    boolean takes(TopicPartition partition, ConsumerRecord<byte[], byte[]> record, Instant now) {
        Long position = positions.get(partition);
        if (position == null) {
            return false;
        }
        SortedMap<Long, Integer> attempts = named.getOrDefault(partition, new TreeMap<>());
        if (record.offset() < position) {
            Integer attempt = attempts.remove(record.offset());
            if (attempt != null) {
                put(new Work(record, now, attempt));
            }
            return true;
        }
        attempts.keySet()
                .forEach(offset -> log.error(
                        "partition={} offset={} waited for another attempt, and has expired: it is lost to this channel",
                        partition,
                        offset));
        named.remove(partition);
        positions.remove(partition);
        return false;
    }

    /** Returns whether no further one of {@code partition} fits. */
    boolean isFull(TopicPartition partition) {
        return attempts(partition).size() >= MOST;
    }

    /** Sets {@code work} aside. */
    void put(Work work) {
        work.aside = true;
        works.computeIfAbsent(work.partition, partition -> new TreeMap<>()).put(work.record.offset(), work);
    }

    /** Returns one that is due, no longer set aside; null when none is. */
    @Nullable
    Work take(Instant now) {
        for (SortedMap<Long, Work> some : works.values()) {
            for (Work work : some.values()) {
                if (!work.waits(now)) {
                    some.remove(work.record.offset());
                    return work;
                }
            }
        }
        return null;
    }

    /** Returns {@code position} with what is set aside before it, {@code inHand} included unless it is settled. */
    OffsetAndMetadata beside(TopicPartition partition, OffsetAndMetadata position, @Nullable Work inHand) {
        SortedMap<Long, Integer> attempts = attempts(partition);
        if (inHand != null && inHand.aside && inHand.settled == null && inHand.partition.equals(partition)) {
            attempts.put(inHand.record.offset(), inHand.attempt);
        }
        return BeginningMark.withAside(position, attempts);
    }

    private SortedMap<Long, Integer> attempts(TopicPartition partition) {
        SortedMap<Long, Integer> attempts = new TreeMap<>(named.getOrDefault(partition, new TreeMap<>()));
        works.getOrDefault(partition, new TreeMap<>()).forEach((offset, work) -> attempts.put(offset, work.attempt));
        return attempts;
    }
}
