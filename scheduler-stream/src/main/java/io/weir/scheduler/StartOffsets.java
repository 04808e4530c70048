package io.weir.scheduler;

import io.weir.topics.UnfitBrokerException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a new installation its first positions: the beginning of every input. After that a position is never made up: a
 * group that has lost its positions while the journal has records would apply its inputs twice, and is refused. Blocks for
 * the broker.
 */
final class StartOffsets {
    private static final Logger log = LoggerFactory.getLogger(StartOffsets.class);
    private static final long TIMEOUT_SECONDS = 30;

    private final Admin admin;
    private final String group;

    StartOffsets(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /**
     * Sets the missing positions on {@code inputs}, and returns how many partitions each of them has.
     *
     * @throws UnfitBrokerException when all are missing though the journal has records
     */
    int ensure(Collection<String> inputs, String journal) {
        Collection<TopicPartition> partitions = partitions(inputs);
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), "positions of " + group);
        List<TopicPartition> missing = partitions.stream()
                .filter(partition -> committed.get(partition) == null)
                .toList();
        int each = partitions.size() / inputs.size();
        if (missing.isEmpty()) {
            return each;
        }
        if (missing.size() == partitions.size() && hasRecords(journal)) {
            throw new UnfitBrokerException(List.of("Group " + group + " has no positions, but " + journal
                    + " has records: its inputs would be applied twice. Restore the positions with"
                    + " kafka-consumer-groups.sh --reset-offsets (the journal's weir-source-offset headers name the last"
                    + " ones), or use another topics.prefix for a new installation"));
        }
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        offsets(missing, OffsetSpec.earliest())
                .forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
        get(admin.alterConsumerGroupOffsets(group, positions).all(), "first positions of " + group);
        log.info("Set first positions of group {} on {}", group, positions.keySet());
        return each;
    }

    private Collection<TopicPartition> partitions(Collection<String> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        get(admin.describeTopics(topics).allTopicNames(), "descriptions of the inputs")
                .forEach((name, description) -> description
                        .partitions()
                        .forEach(partition -> partitions.add(new TopicPartition(name, partition.partition()))));
        return partitions;
    }

    private boolean hasRecords(String topic) {
        return offsets(partitions(List.of(topic)), OffsetSpec.latest()).values().stream()
                .anyMatch(offset -> offset > 0);
    }

    private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted =
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> spec));
        return get(admin.listOffsets(wanted).all(), "offsets of " + partitions).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    private static <T> T get(KafkaFuture<T> future, String what) {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + what, e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "The broker did not answer about " + what + " within " + TIMEOUT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("The broker refused " + what + ": " + e.getCause(), e.getCause());
        }
    }
}
