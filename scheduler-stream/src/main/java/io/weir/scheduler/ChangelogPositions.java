package io.weir.scheduler;

import io.weir.scheduler.stream.store.StoredPositions;
import io.weir.topics.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads from the changelog how far the tasks have come. Reads it whole, which may take a minute: asked only when the group
 * has lost a position.
 */
final class ChangelogPositions {
    private static final Duration SLICE = Duration.ofMillis(200);

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final TopicNames names;
    private final String changelog;

    /** Opens a consumer of committed records, in no group, for each question. */
    ChangelogPositions(Supplier<Consumer<byte[], byte[]>> consumers, TopicNames names, String applicationId) {
        this.consumers = consumers;
        this.names = names;
        this.changelog = StoredPositions.changelog(applicationId);
    }

    /** Returns the offset behind the last record taken in; empty where the scheduler never ran. */
    Map<TopicPartition, Long> read() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        try (Consumer<byte[], byte[]> consumer = consumers.get()) {
            for (PartitionInfo info : consumer.listTopics().getOrDefault(changelog, List.of())) {
                StoredPositions.of(latest(consumer, new TopicPartition(changelog, info.partition())))
                        .forEach((topic, next) ->
                                positions.put(new TopicPartition(names.prefix() + topic, info.partition()), next));
            }
        }
        return positions;
    }

    private static Map<String, byte[]> latest(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
        List<TopicPartition> alone = List.of(partition);
        consumer.assign(alone);
        consumer.seekToBeginning(alone);
        long end = consumer.endOffsets(alone).getOrDefault(partition, 0L);
        Map<String, byte[]> latest = new TreeMap<>();
        while (consumer.position(partition) < end) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(SLICE)) {
                String key = new String(record.key(), StandardCharsets.UTF_8);
                if (record.value() == null) {
                    latest.remove(key);
                } else {
                    latest.put(key, record.value());
                }
            }
        }
        return latest;
    }
}
