package io.weir.standalone.broker;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that lie open on partitions although their coordinator has ended them. Readers of committed records
 * wait at such a one for ever, and a later transaction of its producer takes its records along: if that one is aborted, so is
 * what was committed. A broker of Kafka 4.3 that starts again after a kill leaves them behind: while it has no leaders yet,
 * its coordinator takes the partitions of a transaction that is being ended for deleted ones, and passes them over
 * (KAFKA-20734). How each ended, the coordinator's log says. Blocks for the broker.
 */
public final class HangingTransactions {
    private static final Logger log = LoggerFactory.getLogger(HangingTransactions.class);
    private static final Duration SLICE = Duration.ofMillis(100);
    private static final long ANSWER_SECONDS = 10;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Map<String, Object> client;

    /**
     * A transaction that was ended here.
     *
     * @param partition where it lay open
     * @param start offset of its first record there
     * @param committed whether it is committed, else aborted
     */
    public record Ended(TopicPartition partition, long start, boolean committed) {}

    /**
     * A transaction that its program has neither committed nor aborted yet.
     *
     * @param id transactional id of the program
     * @param partitions where it has records
     * @param age for how long it has been under way; zero where its coordinator does not say
     * @param longest for how long it may be, before its coordinator aborts it
     */
    public record UnderWay(String id, Set<TopicPartition> partitions, Duration age, Duration longest) {}

    /** Asks a broker with a client of these properties, whose account must be allowed to do what brokers do. */
    public HangingTransactions(Map<String, Object> client) {
        this.client = new HashMap<>(client);
    }

    /**
     * Ends all that there are now, as their coordinators did, and returns them.
     *
     * @throws KafkaException when the broker does not let it
     */
    public List<Ended> end() {
        try (Admin admin = Admin.create(client)) {
            Map<TopicPartition, Node> leaders = leaders(admin);
            if (open(admin, leaders.keySet()).isEmpty()) {
                return List.of();
            }
            TransactionOutcomes outcomes = outcomes(leaders.keySet());
            // In this order: what is still open on a partition after its coordinator wrote down that it is done hangs.
            return end(open(admin, leaders.keySet()), outcomes, leaders);
        }
    }

    /**
     * Returns the transactions that are none of those to be ended here, as their programs may go on with them. Readers wait for
     * the end of these, too.
     *
     * @throws KafkaException when the broker does not say
     */
    public List<UnderWay> underWay() {
        try (Admin admin = Admin.create(client)) {
            ListTransactionsOptions ongoing =
                    new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
            List<String> ids = get(admin.listTransactions(ongoing).all()).stream()
                    .map(TransactionListing::transactionalId)
                    .sorted()
                    .toList();
            Map<String, TransactionDescription> described =
                    get(admin.describeTransactions(ids).all());
            long now = System.currentTimeMillis();
            return ids.stream()
                    .map(id -> underWay(id, described.get(id), now))
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    private static Optional<UnderWay> underWay(String id, @Nullable TransactionDescription found, long now) {
        if (found == null || found.state() != TransactionState.ONGOING) {
            return Optional.empty();
        }
        long age = Math.max(0, now - found.transactionStartTimeMs().orElse(now));
        return Optional.of(new UnderWay(
                id, found.topicPartitions(), Duration.ofMillis(age), Duration.ofMillis(found.transactionTimeoutMs())));
    }

    private List<Ended> end(
            List<OpenTransaction> all, TransactionOutcomes outcomes, Map<TopicPartition, Node> leaders) {
        List<Ended> ended = new ArrayList<>();
        try (TransactionMarkers markers = new TransactionMarkers(client)) {
            for (OpenTransaction open : all) {
                Node leader = leaders.get(open.partition());
                TransactionResult result =
                        outcomes.of(open.producerId(), open.epoch()).orElse(null);
                if (leader == null || result == null) {
                    continue;
                }
                Errors error = markers.write(leader, open, result);
                if (error == Errors.NONE) {
                    log.warn("Ended a transaction that the broker had left open: result={} {}", result, open);
                    ended.add(new Ended(open.partition(), open.start(), result == TransactionResult.COMMIT));
                } else {
                    log.info("Not ended, its producer may have gone on: error={} {}", error, open);
                }
            }
        } catch (IOException e) {
            throw new KafkaException("Cannot end " + all, e);
        }
        return ended;
    }

    private static Map<TopicPartition, Node> leaders(Admin admin) {
        Set<String> names =
                get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
        Map<TopicPartition, Node> leaders = new LinkedHashMap<>();
        for (TopicDescription topic :
                get(admin.describeTopics(names).allTopicNames()).values()) {
            topic.partitions().forEach(partition -> {
                if (partition.leader() != null && !partition.leader().isEmpty()) {
                    leaders.put(new TopicPartition(topic.name(), partition.partition()), partition.leader());
                }
            });
        }
        return leaders;
    }

    private static List<OpenTransaction> open(Admin admin, Set<TopicPartition> partitions) {
        List<OpenTransaction> open = new ArrayList<>();
        get(admin.describeProducers(partitions).all())
                .forEach((partition, state) -> state.activeProducers()
                        .forEach(producer -> producer.currentTransactionStartOffset()
                                .ifPresent(start -> open.add(new OpenTransaction(
                                        partition,
                                        producer.producerId(),
                                        producer.producerEpoch(),
                                        producer.coordinatorEpoch().orElse(0),
                                        start)))));
        return open;
    }

    private TransactionOutcomes outcomes(Set<TopicPartition> partitions) {
        List<TopicPartition> logs = partitions.stream()
                .filter(partition -> partition.topic().equals(Topic.TRANSACTION_STATE_TOPIC_NAME))
                .toList();
        TransactionOutcomes outcomes = new TransactionOutcomes();
        Map<String, Object> settings = new HashMap<>(client);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.EXCLUDE_INTERNAL_TOPICS_CONFIG, false);
        try (Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(logs);
            consumer.seekToBeginning(logs);
            Map<TopicPartition, Long> ends = consumer.endOffsets(logs);
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new KafkaException("The transaction log could not be read within " + LONGEST);
                }
                consumer.poll(SLICE).forEach(outcomes::take);
            }
        }
        return outcomes;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (TimeoutException e) {
            throw new KafkaException("The broker did not answer within " + ANSWER_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new KafkaException("The broker refused: " + e.getCause(), e.getCause());
        }
    }
}
