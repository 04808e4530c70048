package io.weir.scheduler.audit;

import io.weir.topics.EntityKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a topic, handed out by cluster: what is read past on the way to one cluster's next record waits for
 * its own. Places that cannot be read are noted and passed over. One thread.
 */
final class TopicDemux implements AutoCloseable {
    private final TopicPartition partition;
    private final RecordLog.Reader reader;
    private final List<RecordLog.Corrupt> corrupt;
    private final Map<String, Deque<ConsumerRecord<byte[], byte[]>>> waiting = new TreeMap<>();

    TopicDemux(TopicPartition partition, RecordLog log, List<RecordLog.Corrupt> corrupt) {
        this.partition = partition;
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
                waiting.computeIfAbsent(clusterOf(record), name -> new ArrayDeque<>())
                        .add(record);
            }
        }
        return own.peek();
    }

    /** Takes the record that {@link #peek} returned. */
    void take(String cluster) {
        Deque<ConsumerRecord<byte[], byte[]>> own = waiting.get(cluster);
        if (own != null) {
            own.poll();
        }
    }

    /** Reads to the end; returns a record of a cluster not among {@code known}, if there is one. */
    @Nullable
    ConsumerRecord<byte[], byte[]> stranger(Iterable<String> known) {
        peek("\0");
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
