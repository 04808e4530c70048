package io.weir.topics;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Puts every record of a cluster on the same partition, whatever entity it is about, so that one task sees them all;
 * measurements alone go by their whole key.
 *
 * <p>The partition follows from the part of the key before the first '/' by the hash that Kafka's own producers use for
 * whole keys: a foreign producer that keys by the bare cluster name needs no partitioner. Stateless.
 */
public final class ClusterPartitioner implements Partitioner {

    private static final byte[] NO_KEY = new byte[0];

    /** Returns the partition, of {@code partitions}, that holds {@code cluster}. */
    public static int partition(String cluster, int partitions) {
        return hash(cluster.getBytes(StandardCharsets.UTF_8), partitions);
    }

    /** Returns the partition, of {@code partitions}, for a record with {@code key} (UTF-8, {@code cluster/entity}). */
    public static int partition(byte @Nullable [] key, int partitions) {
        return hash(clusterPart(key == null ? NO_KEY : key), partitions);
    }

    @Override
    public int partition(
            String topic,
            @Nullable Object key,
            byte @Nullable [] keyBytes,
            @Nullable Object value,
            byte @Nullable [] valueBytes,
            Cluster cluster) {
        int partitions = cluster.partitionCountForTopic(topic);
        return isMeasurement(topic)
                ? hash(keyBytes == null ? NO_KEY : keyBytes, partitions)
                : partition(keyBytes, partitions);
    }

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}

    /** Measurements are looked at node by node, on whichever partition: as a producer without this class puts them. */
    private static boolean isMeasurement(String topic) {
        return topic.endsWith(Topics.MONITORING_METRICS.name());
    }

    private static byte[] clusterPart(byte[] key) {
        for (int i = 0; i < key.length; i++) {
            if (key[i] == '/') {
                return Arrays.copyOf(key, i);
            }
        }
        return key;
    }

    private static int hash(byte[] cluster, int partitions) {
        return Utils.toPositive(Utils.murmur2(cluster)) % partitions;
    }
}
