package io.weir.scheduler.reduction;

import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The nodes that the scheduler publishes, kept up to date on a thread of its own: those whose metrics mean something. Nothing
 * is unknown before all that was published is read. Thread-safe.
 */
public final class PublishedNodes implements NodeSource, AutoCloseable {
    private final Consumer<byte[], byte[]> source;
    private final List<TopicPartition> partitions;
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();
    private final TopicFollower follower;
    private volatile boolean caughtUp;

    /** Begins to read; {@code source} is closed with this object. */
    public PublishedNodes(Consumer<byte[], byte[]> source, TopicNames names) {
        this.source = source;
        partitions = TopicFollower.assign(source, names.full(Topics.NODES));
        follower = new TopicFollower(source, "nodes", this::take);
    }

    @Override
    public boolean isUnknown(String cluster, String nodeId) {
        return caughtUp && !nodes.contains(new EntityKey(cluster, nodeId).toString());
    }

    private boolean take(ConsumerRecords<byte[], byte[]> records) {
        records.forEach(this::take);
        caughtUp = caughtUp || atEnd();
        return false;
    }

    private boolean atEnd() {
        return source.endOffsets(partitions).entrySet().stream()
                .allMatch(end -> source.position(end.getKey()) >= end.getValue());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        if (key == null) {
            return;
        }
        String node = EntityKey.parse(key).toString();
        if (record.value() == null) {
            nodes.remove(node);
        } else {
            nodes.add(node);
        }
    }

    @Override
    public void close() {
        follower.close();
    }
}
