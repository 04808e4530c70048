package io.weir.scheduler;

import io.weir.topics.UnfitBrokerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the group has a position on every input: the beginning in a new installation, and what the state says
 * where the broker has forgotten it (positions expire while a group is away, and go with it). Where records of resource managers
 * were deleted before they were taken in, it goes on from the oldest that is left and says so: the next full poll reports what
 * they said. No other position is made up: where the journal has records but there is no state, inputs would be applied twice,
 * and where somebody's requests were deleted, somebody has to know; both are refused. Several instances may do so at once. Blocks for the
 * broker.
 */
final class StartOffsets {
    private static final Logger log = LoggerFactory.getLogger(StartOffsets.class);
    private static final long TIMEOUT_SECONDS = 30;

    private static final Duration CONTEST_LIMIT = Duration.ofMinutes(1);
    private static final Duration CONTEST_PAUSE = Duration.ofMillis(500);

    private final Admin admin;
    private final String group;
    private final Supplier<Map<TopicPartition, Long>> stored;
    private final Set<String> reported;

    /**
     * Speaks for {@code group}.
     *
     * @param stored tells how far its state has come, and is asked when it matters
     * @param reported names of the topics whose content resource managers and monitoring report again and again
     */
    StartOffsets(Admin admin, String group, Supplier<Map<TopicPartition, Long>> stored, Set<String> reported) {
        this.admin = admin;
        this.group = group;
        this.stored = stored;
        this.reported = Set.copyOf(reported);
    }

    /**
     * Sets the positions on {@code inputs} that are missing or lie outside of their topics, and returns how many partitions each of them has.
     *
     * @throws UnfitBrokerException when that cannot be done without losing or repeating inputs
     */
    int ensure(Collection<String> inputs, String journal) throws InterruptedException {
        Collection<TopicPartition> partitions = partitions(inputs);
        long deadline = System.nanoTime() + CONTEST_LIMIT.toNanos();
        for (Map<TopicPartition, Place> unfit = unfit(partitions); !unfit.isEmpty(); unfit = unfit(partitions)) {
            Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
            choose(group, unfit, stored.get(), partitionsWithRecords(journal), reported)
                    .forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
            try {
                get(admin.alterConsumerGroupOffsets(group, positions).all(), "positions of " + group);
                log.info("Set positions of group {}: {}", group, positions);
            } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof UnknownMemberIdException) || System.nanoTime() > deadline) {
                    throw e;
                }
                // The group has members: another instance was first, or one that is gone has not been missed yet.
                Thread.sleep(CONTEST_PAUSE.toMillis());
            }
        }
        return partitions.size() / inputs.size();
    }

    /** Returns the partitions from which the group could not read on. */
    private Map<TopicPartition, Place> unfit(Collection<TopicPartition> partitions) {
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), "positions of " + group);
        Map<TopicPartition, Long> first = offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Place> unfit = new HashMap<>();
        for (TopicPartition partition : partitions) {
            @Nullable OffsetAndMetadata position = committed.get(partition);
            long oldest = first.getOrDefault(partition, 0L);
            Place place = new Place(
                    oldest, ends.getOrDefault(partition, oldest), position == null ? null : position.offset());
            if (!place.isFit()) {
                unfit.put(partition, place);
            }
        }
        return unfit;
    }

    /**
     * A partition, and where the group stands on it.
     *
     * @param oldest offset of its oldest record
     * @param end offset behind the youngest
     * @param committed the group's position; null when there is none
     */
    record Place(long oldest, long end, @Nullable Long committed) {
        private boolean isFit() {
            return committed != null && committed >= oldest && committed <= end;
        }
    }

    /**
     * Returns the position for each partition on which {@code group} has none that is fit.
     *
     * @param unfit those partitions
     * @param stored offset behind the last record taken in, for each partition of a task that has state
     * @param journaled numbers of the partitions whose journal has records
     * @param reported names of the topics whose lost records are made up for by the next full poll
     * @throws UnfitBrokerException naming every partition for which there is no sound position
     */
    static Map<TopicPartition, Long> choose(
            String group,
            Map<TopicPartition, Place> unfit,
            Map<TopicPartition, Long> stored,
            Set<Integer> journaled,
            Set<String> reported) {
        Set<Integer> withState =
                stored.keySet().stream().map(TopicPartition::partition).collect(Collectors.toSet());
        Map<TopicPartition, Long> chosen = new HashMap<>();
        Set<String> problems = new TreeSet<>();
        Set<String> lost = new TreeSet<>();
        unfit.forEach((partition, place) -> {
            long oldest = place.oldest();
            long position = place.committed() == null ? stored.getOrDefault(partition, oldest) : place.committed();
            if (place.committed() == null
                    && !withState.contains(partition.partition())
                    && journaled.contains(partition.partition())) {
                problems.add(
                        "Group " + group + " has neither positions nor state for partition " + partition.partition()
                                + ", but the journal has records there: inputs would be applied twice. Restore the changelog topics"
                                + " of " + group + ", or begin anew with another topics.prefix and application.id");
            } else if (position < oldest && reported.contains(partition.topic())) {
                lost.add("Records of " + partition + " from offset " + position + " to " + (oldest - 1)
                        + " were deleted before they were taken in: the scheduler was away for longer than the topic keeps"
                        + " records. It goes on without them; what they said of nodes and jobs comes again with the next full"
                        + " poll, events do not");
                chosen.put(partition, oldest);
            } else if (position < oldest) {
                problems.add("Records of " + partition + " from offset " + position + " to " + (oldest - 1)
                        + " were deleted before they were taken in: the scheduler was away for longer than the topic keeps"
                        + " records. To go on without them, which loses them for good: kafka-consumer-groups.sh"
                        + " --bootstrap-server HOST:PORT --group " + group + " --topic " + partition.topic() + ":"
                        + partition.partition() + " --reset-offsets --to-offset " + oldest + " --execute");
            } else if (position > place.end()) {
                problems.add(partition + " ends at offset " + place.end() + ", but what lies before " + position
                        + " was taken in: the topic was made anew. Restore it, or begin anew with another topics.prefix and"
                        + " application.id");
            } else {
                chosen.put(partition, position);
            }
        });
        if (!problems.isEmpty()) {
            throw new UnfitBrokerException(List.copyOf(problems));
        }
        lost.forEach(log::warn);
        return chosen;
    }

    private Collection<TopicPartition> partitions(Collection<String> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        get(admin.describeTopics(topics).allTopicNames(), "descriptions of the inputs")
                .forEach((name, description) -> description
                        .partitions()
                        .forEach(partition -> partitions.add(new TopicPartition(name, partition.partition()))));
        return partitions;
    }

    private Set<Integer> partitionsWithRecords(String topic) {
        return offsets(partitions(List.of(topic)), OffsetSpec.latest()).entrySet().stream()
                .filter(end -> end.getValue() > 0)
                .map(end -> end.getKey().partition())
                .collect(Collectors.toSet());
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
