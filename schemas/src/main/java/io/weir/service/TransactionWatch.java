package io.weir.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether transactions come to an end on the partitions of some topics. A broker may lose the end of one (it takes
 * partitions without a leader for deleted ones); then whoever reads committed records waits before it for ever, without a
 * word, while everything answers. {@link #obstacle} may be called from any thread.
 */
public final class TransactionWatch implements BrokerQuestions.Question {
    private static final Logger log = LoggerFactory.getLogger(TransactionWatch.class);
    private static final int ANSWER_MILLIS = 10_000;

    /** Longer than a transaction of a producer that is gone lies open: it times out after a minute. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int MOST_NAMED = 3;

    private final Predicate<String> topics;
    private final LongSupplier nanos;

    private boolean told;

    /** Where readers wait by partition; replaced as a whole. */
    private volatile Map<TopicPartition, Wait> waits = Map.of();

    /**
     * A partition on which readers cannot go on.
     *
     * @param offset where they wait
     * @param since since when, by the nanosecond clock
     */
    private record Wait(long offset, long since) {}

    /**
     * Makes a watch that has seen nothing yet.
     *
     * @param topics chooses from the topics that there are
     * @param nanos the time, as {@link System#nanoTime}
     */
    public TransactionWatch(Predicate<String> topics, LongSupplier nanos) {
        this.topics = topics;
        this.nanos = nanos;
    }

    /** Looks once; what cannot be seen now is left as it was. */
    @Override
    public void ask(Admin admin) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions(admin).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = offsets(admin, asked, IsolationLevel.READ_UNCOMMITTED);
        take(ends, offsets(admin, asked, IsolationLevel.READ_COMMITTED));
    }

    private Collection<TopicPartition> partitions(Admin admin) throws ExecutionException, InterruptedException {
        List<TopicPartition> found = new ArrayList<>();
        Collection<String> wanted =
                admin.listTopics().names().get().stream().filter(topics).toList();
        admin.describeTopics(wanted)
                .allTopicNames()
                .get()
                .values()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> found.add(new TopicPartition(topic.name(), partition.partition()))));
        return found;
    }

    private static Map<TopicPartition, Long> offsets(
            Admin admin, Map<TopicPartition, OffsetSpec> asked, IsolationLevel isolation)
            throws ExecutionException, InterruptedException {
        return admin
                .listOffsets(asked, new ListOffsetsOptions(isolation).timeoutMs(ANSWER_MILLIS))
                .all()
                .get()
                .entrySet()
                .stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().offset()));
    }

    /** Compares where the partitions end with where readers of committed records come to. */
    void take(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> readable) {
        long now = nanos.getAsLong();
        Map<TopicPartition, Wait> next = new HashMap<>();
        readable.forEach((partition, offset) -> {
            if (offset < ends.getOrDefault(partition, offset)) {
                Wait before = waits.get(partition);
                next.put(partition, before != null && before.offset() == offset ? before : new Wait(offset, now));
            }
        });
        waits = Map.copyOf(next);
        Optional<String> stuck = obstacle();
        if (stuck.isPresent() && !told) {
            log.error("Not ready: {}", stuck.get());
        } else if (stuck.isEmpty() && told) {
            log.info("Readers of committed records go on");
        }
        told = stuck.isPresent();
    }

    /** Returns on which partitions readers have waited for too long; empty when nowhere. */
    public Optional<String> obstacle() {
        long now = nanos.getAsLong();
        Map<String, Long> stuck = new TreeMap<>();
        waits.forEach((partition, wait) -> {
            if (now - wait.since() >= PATIENCE.toNanos()) {
                stuck.put(partition + " at offset " + wait.offset(), wait.since());
            }
        });
        if (stuck.isEmpty()) {
            return Optional.empty();
        }
        long longest =
                stuck.values().stream().mapToLong(since -> now - since).max().orElse(0);
        String places = stuck.keySet().stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
        String more = stuck.size() > MOST_NAMED ? " and " + (stuck.size() - MOST_NAMED) + " more" : "";
        return Optional.of(
                "readers have waited for " + Duration.ofNanos(longest).toSeconds()
                        + " s behind a transaction that does not end, on " + places + more
                        + ": 'weir topics --end-transactions' ends it as its coordinator did, or says whose it is");
    }
}
