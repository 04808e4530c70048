package io.weir.scheduler.stream.pacing;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * How far the consumers of this process have read the inputs. What they have read and no processor has taken waits in the
 * buffers of Kafka Streams. Thread-safe.
 */
public final class Backlog {
    private final Map<TopicPartition, Long> lastRead = new ConcurrentHashMap<>();

    /** Notes what a poll gave. */
    public <K, V> void read(ConsumerRecords<K, V> records) {
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<K, V>> read = records.records(partition);
            lastRead.put(partition, read.get(read.size() - 1).offset());
        }
    }

    /** Says whether a record of {@code partition} with offset {@code next} or a later one has been read. */
    public boolean waits(TopicPartition partition, long next) {
        return waiting(partition, next) > 0;
    }

    /** Returns how many offsets of {@code partition} from {@code next} on have been read. */
    public long waiting(TopicPartition partition, long next) {
        Long last = lastRead.get(partition);
        return last == null ? 0 : Math.max(0, last - next + 1);
    }
}
