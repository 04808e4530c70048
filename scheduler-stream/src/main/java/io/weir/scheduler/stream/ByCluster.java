package io.weir.scheduler.stream;

import io.weir.topics.ClusterPartitioner;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Puts a record on the partition of its key's cluster. Stateless. */
public final class ByCluster implements StreamPartitioner<byte[], byte[]> {
    @Override
    public Optional<Set<Integer>> partitions(String topic, byte[] key, byte[] value, int partitions) {
        return Optional.of(Set.of(ClusterPartitioner.partition(key, partitions)));
    }
}
