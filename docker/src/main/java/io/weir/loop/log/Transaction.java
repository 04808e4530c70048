package io.weir.loop.log;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** One transaction: where it has written, the positions that it takes along, and how it stands. */
final class Transaction {
    private final long deadline;
    private final Set<PartitionLog> partitions = new LinkedHashSet<>();
    private final Map<String, Map<TopicPartition, OffsetAndMetadata>> positions = new HashMap<>();
    private State state = State.OPEN;

    /** Whether a transaction has ended, and how. */
    enum State {
        OPEN,
        COMMITTED,
        ABORTED
    }

    /** Begins a transaction that the broker ends at {@code deadline}, in microseconds, if nobody else does. */
    Transaction(long deadline) {
        this.deadline = deadline;
    }

    State state() {
        return state;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    long deadline() {
        return deadline;
    }

    void wroteTo(PartitionLog partition) {
        if (partitions.add(partition)) {
            partition.opened(this);
        }
    }

    void position(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        positions.computeIfAbsent(group, unseen -> new HashMap<>()).putAll(offsets);
    }

    /** Says whether it would move the position of {@code group} on {@code partition}. */
    boolean moves(String group, TopicPartition partition) {
        return positions.getOrDefault(group, Map.of()).containsKey(partition);
    }

    Map<String, Map<TopicPartition, OffsetAndMetadata>> positions() {
        return positions;
    }

    Set<PartitionLog> partitions() {
        return partitions;
    }

    /** Ends it, and marks so wherever it has written. */
    void end(boolean commit, long timestamp) {
        state = commit ? State.COMMITTED : State.ABORTED;
        partitions.forEach(partition -> partition.closed(this, timestamp));
    }
}
