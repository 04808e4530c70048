package io.weir.notifier.runtime.loop;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a reader stands by what it has written: for a group whose positions the broker no longer knows, because they
 * expired while it was away or were deleted.
 */
@FunctionalInterface
public interface SettlementHistory {

    /** Knows nothing: every reader is new. */
    SettlementHistory NONE = partitions -> Map.of();

    /**
     * Returns the offset behind the last record that was settled, by partition; without those of which nothing tells that
     * the reader was ever there. Blocks for the broker.
     */
    Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions);
}
