package io.weir.scheduler.stream;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Sees to it that a transaction moves the position of a partition, if only to where it is. The broker asks whether the writer
 * is still the member to which its partitions are assigned when positions come with a transaction, and not otherwise. A task that has
 * taken in no record since it was assigned, and puts something out because it is time, has none; and a process that stood
 * still meanwhile until another took over would write what the other has written. Stateless.
 */
public final class HeldPositions {
    private HeldPositions() {}

    /**
     * Returns {@code positions}, or, where there are none, the one that is committed of a partition assigned to {@code consumer}.
     * Nothing is returned when it has no partition, or none with a position.
     */
    public static Map<TopicPartition, OffsetAndMetadata> orHeld(
            Map<TopicPartition, OffsetAndMetadata> positions, Consumer<?, ?> consumer) {
        if (!positions.isEmpty()) {
            return positions;
        }
        for (TopicPartition partition : consumer.assignment()) {
            OffsetAndMetadata held = consumer.committed(Set.of(partition)).get(partition);
            if (held != null) {
                return Map.of(partition, held);
            }
        }
        return positions;
    }
}
