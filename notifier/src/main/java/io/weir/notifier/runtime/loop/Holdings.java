package io.weir.notifier.runtime.loop;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records that wait to go out together, by partition; the group's position stays before them. Those that a process
 * before this one had begun together are held again, up to the same record. Owned by its loop.
 */
final class Holdings {

    private final Map<TopicPartition, Holding> holdings = new LinkedHashMap<>();

    /** Ends of what a process before this one had begun together and did not finish. */
    private final Map<TopicPartition, Long> begunThrough = new HashMap<>();

    /** Takes over what a process before this one had begun together, from the position that it left. */
    void resume(TopicPartition partition, OffsetAndMetadata position) {
        BeginningMark.through(position).ifPresent(offset -> begunThrough.put(partition, offset));
    }

    /** Forgets partitions that were taken away. */
    void revoke(Collection<TopicPartition> partitions) {
        begunThrough.keySet().removeAll(partitions);
        holdings.keySet().removeAll(partitions);
    }

    /** Returns what is held of a partition; null for nothing. */
    @Nullable
    Holding of(TopicPartition partition) {
        return holdings.get(partition);
    }

    /** Whether {@code work} joins what is held already, or was part of several that an earlier process had begun together. */
    boolean joins(Work work) {
        Long through = begunThrough.get(work.partition);
        boolean again = through != null && work.record.offset() < through;
        return again || holdings.containsKey(work.partition);
    }

    /** Holds {@code work}, with what is held already, or from {@code now} until {@code until}. */
    void hold(Work work, Instant now, Instant until) {
        Long through = begunThrough.remove(work.partition);
        holdings.computeIfAbsent(
                        work.partition,
                        partition -> new Holding(
                                now, until, through == null ? OptionalLong.empty() : OptionalLong.of(through)))
                .add(work.record);
    }

    /** Forgets what was held of a partition. */
    void remove(TopicPartition partition) {
        holdings.remove(partition);
    }

    /** Returns what goes out at {@code now}; null when nothing does. */
    @Nullable
    Holding due(Instant now, RecordHandler handler) {
        for (Holding holding : holdings.values()) {
            if (holding.isDue(now) || (holding.isFull(handler.mostHeld()) && !handler.holdsOn())) {
                return holding;
            }
        }
        return null;
    }

    /** Whether {@code most} records, or as many bytes as may be, are held of a partition. */
    boolean isFull(int most) {
        return holdings.values().stream().anyMatch(holding -> holding.isFull(most));
    }
}
