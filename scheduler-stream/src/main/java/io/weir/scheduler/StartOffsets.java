package io.weir.scheduler;

import io.weir.topics.UnfitBrokerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
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

    private static final Comparator<TopicPartition> BY_NAME =
            Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);
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
     * Sets the positions on {@code inputs} that are missing, ahead of the state or outside of their topics.
     *
     * @param changelogs names of the topics that keep the state
     * @param copied says of which partitions this machine has a copy of the state
     * @param beginning is run before anything else where the group has never read anything and no topic has anything of it: what
     *     this machine has is of another installation then, perhaps of this one before its brokers lost everything
     * @throws UnfitBrokerException when that cannot be done without losing or repeating inputs, or the state is gone
     */
    Begun ensure(
            Collection<String> inputs,
            String journal,
            Collection<String> changelogs,
            IntPredicate copied,
            Runnable beginning)
            throws InterruptedException {
        Collection<TopicPartition> partitions = partitions(inputs);
        if (isBeginning(partitions, journal, changelogs)) {
            beginning.run();
        }
        goBackToState(partitions);
        long deadline = System.nanoTime() + CONTEST_LIMIT.toNanos();
        for (Map<TopicPartition, Place> unfit = unfit(partitions); !unfit.isEmpty(); unfit = unfit(partitions)) {
            Map<TopicPartition, Long> chosen =
                    choose(group, unfit, stored.get(), partitionsWithRecords(journal), reported);
            try {
                set(chosen);
                log.info("Set positions of group {}: {}", group, chosen);
            } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof UnknownMemberIdException) || System.nanoTime() > deadline) {
                    throw e;
                }
                // The group has members: another instance was first, or one that is gone has not been missed yet.
                Thread.sleep(CONTEST_PAUSE.toMillis());
            }
        }
        return new Begun(partitions.size() / inputs.size(), requireState(journal, changelogs, copied));
    }

    /**
     * What there is to begin with.
     *
     * @param partitions how many partitions each input has
     * @param copies numbers of the partitions whose state is on this machine alone
     */
    record Begun(int partitions, Set<Integer> copies) {}

    /**
     * What lies between the end of the state and a position that was set forward would never be taken in. A position is ahead
     * by the ends of transactions, too, which are no records. Nothing can have set it while the group has members, so an instance
     * that comes back at once does not look.
     */
    private void goBackToState(Collection<TopicPartition> partitions) {
        if (hasMembers()) {
            return;
        }
        Map<TopicPartition, Long> ahead = ahead(committed(), offsets(partitions, OffsetSpec.earliest()), stored.get());
        if (ahead.isEmpty()) {
            return;
        }
        try {
            set(ahead);
            log.info("Goes on where the state ends, not at the positions of group {}: {}", group, ahead);
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof UnknownMemberIdException)) {
                throw e;
            }
            // Another instance has joined, and looked before it did.
        }
    }

    private boolean hasMembers() {
        try {
            return get(admin.describeConsumerGroups(List.of(group)).all(), "members of " + group).values().stream()
                    .anyMatch(description -> !description.members().isEmpty());
        } catch (IllegalStateException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Returns where the state ends, or the oldest record behind it, for each partition of which the group's position is ahead of that.
     *
     * @param committed the group's positions
     * @param oldest offset of the oldest record of each input
     * @param stored offset behind the last record taken in, for each partition of a task that has state
     */
    static Map<TopicPartition, Long> ahead(
            Map<TopicPartition, Long> committed, Map<TopicPartition, Long> oldest, Map<TopicPartition, Long> stored) {
        Set<Integer> withState = numbers(stored.keySet());
        Map<TopicPartition, Long> ahead = new TreeMap<>(BY_NAME);
        oldest.forEach((partition, first) -> {
            long end = Math.max(first, stored.getOrDefault(partition, 0L));
            if (withState.contains(partition.partition()) && committed.getOrDefault(partition, 0L) > end) {
                ahead.put(partition, end);
            }
        });
        return ahead;
    }

    private void set(Map<TopicPartition, Long> offsets) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        offsets.forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
        get(admin.alterConsumerGroupOffsets(group, positions).all(), "positions of " + group);
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        Map<TopicPartition, @Nullable OffsetAndMetadata> positions =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), "positions of " + group);
        positions.forEach((partition, position) -> {
            if (position != null) {
                committed.put(partition, position.offset());
            }
        });
        return committed;
    }

    private static Set<Integer> numbers(Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
    }

    private boolean isBeginning(Collection<TopicPartition> inputs, String journal, Collection<String> changelogs) {
        Map<TopicPartition, Long> committed = committed();
        return inputs.stream().noneMatch(committed::containsKey)
                && partitionsWithRecords(journal).isEmpty()
                && kept(changelogs).values().stream().allMatch(Set::isEmpty);
    }

    /** Returns the numbers of the partitions that have records, by changelog; none of one that is missing. */
    private Map<String, Set<Integer>> kept(Collection<String> changelogs) {
        Set<String> present = get(admin.listTopics().names(), "names of topics");
        Map<String, Set<Integer>> kept = new TreeMap<>();
        changelogs.forEach(changelog ->
                kept.put(changelog, present.contains(changelog) ? partitionsWithRecords(changelog) : Set.of()));
        return kept;
    }

    /**
     * A changelog that is gone is made anew, empty, by Kafka Streams. Where this machine has no copy of the state either, the
     * scheduler would go on from its positions as if it had never decided anything. Returns the partitions of which it has one.
     */
    private Set<Integer> requireState(String journal, Collection<String> changelogs, IntPredicate copied) {
        Map<String, Set<Integer>> kept = kept(changelogs);
        Set<Integer> journaled = partitionsWithRecords(journal);
        Map<String, Set<Integer>> lost = lost(journaled, kept);
        Map<String, Set<Integer>> gone = new TreeMap<>();
        Set<Integer> copies = new TreeSet<>();
        lost.forEach((changelog, partitions) -> {
            Set<Integer> nowhere = new TreeSet<>(partitions);
            nowhere.removeIf(copied::test);
            if (nowhere.isEmpty()) {
                copies.addAll(partitions);
                log.error(
                        "Topic {} was missing, or has no records on partitions {}: the state there is on this machine"
                                + " alone, and is written to it anew. Keep state.dir, and start no other instance, until the log"
                                + " says that it was",
                        changelog,
                        partitions);
            } else {
                gone.put(changelog, nowhere);
            }
        });
        if (!gone.isEmpty()) {
            throw new UnfitBrokerException(gone.entrySet().stream()
                    .map(each -> "Topic " + each.getKey() + " is missing, or has no records on partitions "
                            + each.getValue() + ", but the journal has records there, and this machine has no copy in"
                            + " state.dir: the state of " + group + " is gone. Restore that topic, or start the"
                            + " instance that was active last, or begin anew with another topics.prefix and"
                            + " application.id")
                    .toList());
        }
        kept.values().stream().flatMap(Set::stream).distinct().sorted().forEach(partition -> {
            if (!journaled.contains(partition)) {
                log.error(
                        "{}-{} has no records, but the scheduler has state there: the journal was made anew. What was"
                                + " decided before can be derived no more; scheduling goes on",
                        journal,
                        partition);
            }
        });
        return copies;
    }

    /**
     * Returns the partitions that have lost what was kept of their state, by changelog.
     *
     * @param journaled numbers of the partitions whose journal has records; something was stored in the transaction of each
     * @param kept numbers of the partitions that have records, by changelog
     */
    static Map<String, Set<Integer>> lost(Set<Integer> journaled, Map<String, Set<Integer>> kept) {
        Map<String, Set<Integer>> lost = new TreeMap<>();
        kept.forEach((changelog, partitions) -> {
            Set<Integer> missing = new TreeSet<>(journaled);
            missing.removeAll(partitions);
            if (!missing.isEmpty()) {
                lost.put(changelog, missing);
            }
        });
        return lost;
    }

    /** Returns the partitions from which the group could not read on. */
    private Map<TopicPartition, Place> unfit(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> committed = committed();
        Map<TopicPartition, Long> first = offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, Place> unfit = new HashMap<>();
        for (TopicPartition partition : partitions) {
            long oldest = first.getOrDefault(partition, 0L);
            Place place = new Place(oldest, ends.getOrDefault(partition, oldest), committed.get(partition));
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
        Set<Integer> withState = numbers(stored.keySet());
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
                        + " was taken in: the topic was made anew, or brokers lost its end. Restore it, or fill it up to there"
                        + " as scheduler-stream/docs/trouble.md says, or begin anew with another topics.prefix and"
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
