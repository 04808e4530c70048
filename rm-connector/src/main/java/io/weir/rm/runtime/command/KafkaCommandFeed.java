package io.weir.rm.runtime.command;

import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.schemas.CommandResult;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.DeadLetterForm;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import io.weir.topics.UnknownSchemaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands topic, and what else a connector has to read, behind one consumer that sees committed records only. It is
 * assigned the cluster's partitions and belongs to no group; the group of its id merely keeps its position: the offset of
 * the first unfinished command, with the {@link Position} as metadata. Records that cannot be decoded
 * come as dead letters. Where a topic ends is asked on a connection of its own: on the consumer's the question would wait
 * behind an open fetch.
 */
public final class KafkaCommandFeed implements CommandFeed {
    private static final Logger log = LoggerFactory.getLogger(KafkaCommandFeed.class);

    private static final DeadLetterForm LETTERS = new DeadLetterForm("rm-connector");
    private static final Duration READ_SLICE = Duration.ofMillis(200);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** Nobody waits longer to hear how far the scheduler is, nor asks again soon where that cannot be told. */
    private static final int PROGRESS_LIMIT_MS = 500;

    private static final long WITHOUT_PROGRESS_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long COMMIT_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    /** The number of partitions is compared with what it was as often. */
    private static final long PARTITIONS_INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    /** An open fetch holds up what is asked of another partition, at the beginning of an epoch; a short one costs at rest. */
    private static final int FETCH_WAIT_MS = 100;

    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final AvroCodec codec;
    private final TopicNames names;
    private final String cluster;
    private final String connector;
    private final @Nullable String schedulerGroup;
    private final boolean iterations;
    private final LongSupplier nanos;

    /** Where each command not yet noted as finished ends in its topic, by number. */
    private final TreeMap<Long, Long> nextOffsets = new TreeMap<>();

    private final SchemaPatience patience = new SchemaPatience();

    /** What is read and written of each topic, found once: a cluster that moves to another partition ends the epoch. */
    private final Map<Topic<?>, TopicPartition> partitions = new HashMap<>();

    private long finished;
    private long greatestFinished;
    private long committed;
    private ResultsMark resultsMark = new ResultsMark(Position.START);
    private long lastCommitNanos;
    private long progressFrom;
    private long partitionsFrom;

    /**
     * Connects.
     *
     * @param properties properties of the consumer; what this class needs is set on top
     * @param admin closed with this object
     * @param schedulerGroup group in which the scheduler keeps its positions; null for not to ask how far it is
     * @param iterations whether to deliver iterations
     */
    public KafkaCommandFeed(
            Map<String, Object> properties,
            Admin admin,
            AvroCodec codec,
            TopicNames names,
            String cluster,
            String connector,
            @Nullable String schedulerGroup,
            boolean iterations) {
        this(
                new KafkaConsumer<>(
                        settings(properties, names, cluster, connector),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer()),
                admin,
                codec,
                names,
                cluster,
                connector,
                schedulerGroup,
                iterations,
                System::nanoTime);
    }

    /**
     * Reads with {@code consumer}, which has the {@link #settings} and is closed with this feed.
     *
     * @param admin closed with this object
     * @param schedulerGroup group in which the scheduler keeps its positions; null for not to ask how far it is
     * @param iterations whether to deliver iterations
     * @param nanos a monotonic clock
     */
    public KafkaCommandFeed(
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            Admin admin,
            AvroCodec codec,
            TopicNames names,
            String cluster,
            String connector,
            @Nullable String schedulerGroup,
            boolean iterations,
            LongSupplier nanos) {
        this.consumer = consumer;
        this.admin = admin;
        this.codec = codec;
        this.names = names;
        this.cluster = cluster;
        this.connector = connector;
        this.schedulerGroup = schedulerGroup;
        this.iterations = iterations;
        this.nanos = nanos;
        this.lastCommitNanos = nanos.getAsLong();
        this.progressFrom = lastCommitNanos;
        this.partitionsFrom = lastCommitNanos;
    }

    /** Returns {@code properties} of a consumer with what this class needs on top. */
    public static Map<String, Object> settings(
            Map<String, Object> properties, TopicNames names, String cluster, String connector) {
        Map<String, Object> settings = new HashMap<>(properties);
        settings.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, "rm-connector-" + cluster + "-" + connector);
        settings.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MS);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group(names, cluster, connector));
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return settings;
    }

    /** Returns the group that keeps the position of a connector. */
    public static String group(TopicNames names, String cluster, String connector) {
        return names.group("rm-connector", cluster, connector);
    }

    @Override
    public Backlog open() {
        try {
            TopicPartition commands = partition(Topics.COMMANDS);
            TopicPartition results = partition(Topics.RESULTS);
            List<TopicPartition> others = new ArrayList<>(List.of(partition(Topics.RM_HEARTBEATS)));
            if (iterations) {
                others.add(partition(Topics.JOURNAL));
            }
            consumer.assign(others);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(others));
            @Nullable
            OffsetAndMetadata kept = consumer.committed(Set.of(commands)).get(commands);
            Optional<Position> position = kept == null ? Optional.empty() : Position.parse(kept.metadata());
            if (kept != null && position.isEmpty()) {
                log.warn("the kept position '{}' is not readable; everything is looked at again", kept.metadata());
            }
            Position from = position.orElse(Position.START);
            Set<Long> answered = answered(results, from);
            Backlog backlog = backlog(commands, kept == null || position.isEmpty() ? 0 : kept.offset(), from, answered);
            ends.put(commands, consumer.position(commands));
            follow(ends, results);
            finished = backlog.lastFinished();
            greatestFinished = answered.stream().reduce(finished, Math::max);
            committed = from.lastFinished();
            resultsMark = new ResultsMark(from);
            return backlog;
        } catch (KafkaException e) {
            throw unavailable("read the commands", e);
        }
    }

    /** Reads from these offsets on. The results are not read, but kept in view: {@link #commit} asks for their end. */
    private void follow(Map<TopicPartition, Long> from, TopicPartition results) {
        List<TopicPartition> assigned = new ArrayList<>(from.keySet());
        assigned.add(results);
        consumer.assign(assigned);
        consumer.pause(List.of(results));
        consumer.seekToEnd(List.of(results));
        from.forEach(consumer::seek);
    }

    private Set<Long> answered(TopicPartition results, Position position) {
        Set<Long> answered = new TreeSet<>();
        read(
                results,
                position.resultsOffset(),
                message -> decodeOld(Topics.RESULTS, message)
                        .filter(this::isMine)
                        .ifPresent(result -> answered.add(result.getNumber())));
        return answered;
    }

    private Backlog backlog(TopicPartition commands, long from, Position position, Set<Long> answered) {
        TreeMap<Long, RmCommand> unanswered = new TreeMap<>();
        long[] lastSeen = {position.lastFinished()};
        read(
                commands,
                from,
                message -> decodeOld(Topics.COMMANDS, message)
                        .filter(this::isMine)
                        .ifPresent(command -> {
                            long number = command.getNumber();
                            lastSeen[0] = Math.max(lastSeen[0], number);
                            nextOffsets.put(number, message.offset() + 1);
                            if (number > position.lastFinished() && !answered.contains(number)) {
                                unanswered.putIfAbsent(number, command);
                            }
                        }));
        long lastFinished = unanswered.isEmpty() ? lastSeen[0] : unanswered.firstKey() - 1;
        return new Backlog(lastFinished, List.copyOf(unanswered.values()), lastSeen[0]);
    }

    /**
     * Reads {@code partition} alone, from {@code offset} to its present end. 0 is the beginning, and so is an offset that is not
     * there any more, as after brokers were restored from copies.
     */
    private void read(TopicPartition partition, long offset, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        consumer.assign(List.of(partition));
        long end = endOf(partition, IsolationLevel.READ_COMMITTED);
        if (offset > end) {
            log.warn(
                    "{} ends at offset {}, before {} up to which it was read; it is read anew", partition, end, offset);
        }
        if (offset == 0 || offset > end) {
            consumer.seekToBeginning(List.of(partition));
        } else {
            consumer.seek(partition, offset);
        }
        while (consumer.position(partition) < end) {
            consumer.poll(READ_SLICE).records(partition).forEach(reader);
        }
    }

    @Override
    public List<Incoming> takeOver() {
        return upToEnd(Topics.COMMANDS, IsolationLevel.READ_COMMITTED);
    }

    @Override
    public List<Incoming> catchUp() {
        return upToEnd(Topics.RM_HEARTBEATS, IsolationLevel.READ_UNCOMMITTED);
    }

    private List<Incoming> upToEnd(Topic<?> topic, IsolationLevel isolation) {
        List<Incoming> incoming = new ArrayList<>();
        try {
            TopicPartition partition = partition(topic);
            long end = endOf(partition, isolation);
            while (consumer.position(partition) < end) {
                incoming.addAll(poll(READ_SLICE));
            }
        } catch (KafkaException e) {
            throw unavailable("read " + names.full(topic), e);
        }
        return incoming;
    }

    private long endOf(TopicPartition partition, IsolationLevel isolation) {
        ListOffsetsOptions options = new ListOffsetsOptions(isolation).timeoutMs((int) ANSWER_LIMIT.toMillis());
        try {
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), options)
                    .partitionResult(partition)
                    .get()
                    .offset();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        }
    }

    @Override
    public List<Incoming> poll(Duration timeout) {
        List<Incoming> incoming = new ArrayList<>();
        try {
            comparePartitions();
            patience.over(nanos.getAsLong()).ifPresent(partition -> consumer.resume(Set.of(partition)));
            ConsumerRecords<byte[], byte[]> arrived = consumer.poll(timeout);
            for (TopicPartition partition : arrived.partitions()) {
                take(partition, arrived.records(partition), incoming);
            }
        } catch (KafkaException e) {
            throw unavailable("read", e);
        }
        incoming.sort(Comparator.comparing(Incoming.Decided.class::isInstance));
        return incoming;
    }

    private void take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> arrived, List<Incoming> incoming) {
        for (ConsumerRecord<byte[], byte[]> message : arrived) {
            try {
                incoming(message).ifPresent(incoming::add);
            } catch (PoisonRecordException e) {
                if (e instanceof UnknownSchemaException unknown
                        && patience.waits(partition, message.offset(), unknown.schemaId(), nanos.getAsLong())) {
                    // What follows it waits, too: commands are begun in order.
                    consumer.pause(Set.of(partition));
                    consumer.seek(partition, message.offset());
                    return;
                }
                incoming.add(new Incoming.Unreadable(
                        LETTERS.of(message, names, "UNDECODABLE", String.valueOf(e.getMessage()))));
            }
        }
    }

    /**
     * Makes sure that the cluster is where it was among the partitions.
     *
     * @throws LogUnavailableException if partitions were added: a new epoch finds out where the cluster is now
     */
    private void comparePartitions() {
        long now = nanos.getAsLong();
        if (now - partitionsFrom < 0) {
            return;
        }
        partitionsFrom = now + PARTITIONS_INTERVAL_NANOS;
        partitions.forEach((topic, before) -> {
            TopicPartition present = findPartition(topic);
            if (!present.equals(before)) {
                throw new LogUnavailableException(
                        "partitions were added to " + before.topic() + ": what concerns cluster " + cluster
                                + " is on partition "
                                + present.partition() + " now, not on " + before.partition()
                                + "; what was not read from there by now stays behind",
                        null);
            }
        });
    }

    private Optional<Incoming> incoming(ConsumerRecord<byte[], byte[]> message) {
        if (!isOfCluster(message)) {
            return Optional.empty();
        }
        Topic<?> topic = names.topic(message.topic()).orElseThrow();
        if (topic.equals(Topics.COMMANDS)) {
            return decode(Topics.COMMANDS, message).filter(this::isMine).map(command -> {
                nextOffsets.put(command.getNumber(), message.offset() + 1);
                return new Incoming.Ordered(command);
            });
        }
        if (topic.equals(Topics.JOURNAL)) {
            return FactHeaders.KIND
                    .get(message.headers())
                    .filter(FactHeaders.KIND_ITERATION::equals)
                    .flatMap(kind -> decode(Topics.JOURNAL, message))
                    .map(Incoming.Decided::new);
        }
        return hello(message);
    }

    /** Returns the HELLO of another process with this connector's id: the only kind of heartbeat without an epoch. */
    private Optional<Incoming> hello(ConsumerRecord<byte[], byte[]> message) {
        boolean mayBe = FactHeaders.CONNECTOR
                        .get(message.headers())
                        .filter(connector::equals)
                        .isPresent()
                && message.headers().lastHeader(FactHeaders.EPOCH.name()) == null;
        if (!mayBe) {
            return Optional.empty();
        }
        // One that cannot be read is for the scheduler to report, which reads all of them.
        return decodeOld(Topics.RM_HEARTBEATS, message)
                .filter(heartbeat -> heartbeat.getKind() == HeartbeatKind.HELLO
                        && heartbeat.getCluster().equals(cluster)
                        && heartbeat.getConnector().equals(connector))
                .map(heartbeat -> new Incoming.HelloSeen(message.offset()));
    }

    private boolean isOfCluster(ConsumerRecord<byte[], byte[]> message) {
        return message.key() != null && EntityKey.parse(message.key()).cluster().equals(cluster);
    }

    private boolean isMine(RmCommand command) {
        return command.getCluster().equals(cluster) && command.getConnector().equals(connector);
    }

    private boolean isMine(CommandResult result) {
        return result.getCluster().equals(cluster) && result.getConnector().equals(connector);
    }

    /**
     * Decodes a record; one without a value is empty.
     *
     * @throws PoisonRecordException if that will never be possible
     */
    private <T extends SpecificRecord> Optional<T> decode(Topic<T> topic, ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(topic, message.value()));
        } catch (RegistryUnavailableException e) {
            throw new LogUnavailableException("the schema registry gives no usable answer: " + e.getMessage(), e);
        }
    }

    /** Decodes a record of the past; one that cannot be read was put aside when it was new. */
    private <T extends SpecificRecord> Optional<T> decodeOld(Topic<T> topic, ConsumerRecord<byte[], byte[]> message) {
        try {
            return decode(topic, message);
        } catch (PoisonRecordException e) {
            log.warn(
                    "topic={} partition={} offset={} cannot be read and is left out: {}",
                    message.topic(),
                    message.partition(),
                    message.offset(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    private TopicPartition partition(Topic<?> topic) {
        return partitions.computeIfAbsent(topic, this::findPartition);
    }

    private TopicPartition findPartition(Topic<?> topic) {
        String name = names.full(topic);
        @Nullable List<PartitionInfo> partitions = consumer.partitionsFor(name);
        if (partitions == null || partitions.isEmpty()) {
            throw new LogUnavailableException("topic " + name + " does not exist; provision the topics first", null);
        }
        return new TopicPartition(name, ClusterPartitioner.partition(cluster, partitions.size()));
    }

    @Override
    public Optional<HeartbeatProgress> progress() {
        if (schedulerGroup == null || nanos.getAsLong() - progressFrom < 0) {
            return Optional.empty();
        }
        try {
            TopicPartition heartbeats = partition(Topics.RM_HEARTBEATS);
            // Of all topics it would name those that this connector may not see.
            ListConsumerGroupOffsetsSpec asked =
                    new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(heartbeats));
            @Nullable
            OffsetAndMetadata takenIn = admin.listConsumerGroupOffsets(
                            Map.of(schedulerGroup, asked),
                            new ListConsumerGroupOffsetsOptions().timeoutMs(PROGRESS_LIMIT_MS))
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(heartbeats);
            return Optional.ofNullable(takenIn)
                    .map(position -> new HeartbeatProgress(consumer.position(heartbeats), position.offset()));
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException | KafkaException e) {
            log.debug("How far the scheduler is cannot be told", e);
            progressFrom = nanos.getAsLong() + WITHOUT_PROGRESS_NANOS;
            return Optional.empty();
        }
    }

    @Override
    public void finished(long upTo, long greatest) {
        finished = Math.max(finished, upTo);
        greatestFinished = Math.max(greatestFinished, greatest);
        long now = nanos.getAsLong();
        if (finished > committed && now - lastCommitNanos >= COMMIT_INTERVAL_NANOS) {
            lastCommitNanos = now;
            commit(false);
        }
    }

    private void commit(boolean wait) {
        Map.@Nullable Entry<Long, Long> last = nextOffsets.floorEntry(finished);
        if (last == null) {
            return;
        }
        try {
            // At the end results may have been written that nobody called safe.
            Position reached =
                    wait ? resultsMark.at(finished) : resultsMark.advance(finished, greatestFinished, endOfResults());
            Map<TopicPartition, OffsetAndMetadata> position =
                    Map.of(partition(Topics.COMMANDS), new OffsetAndMetadata(behind(last), reached.format()));
            if (wait) {
                consumer.commitSync(position);
            } else {
                consumer.commitAsync(position, (committedPosition, e) -> {
                    if (e != null) {
                        log.warn("the position was not kept, a restart looks at more: {}", e.getMessage());
                    }
                });
            }
            committed = finished;
            nextOffsets.headMap(finished, false).clear();
        } catch (KafkaException e) {
            log.warn("the position was not kept, a restart looks at more: {}", e.getMessage());
        }
    }

    /** Returns the offset behind a command: when it is the last one taken in, also behind what follows for others, and markers. */
    private long behind(Map.Entry<Long, Long> command) {
        return command.getKey().equals(nextOffsets.lastKey())
                ? Math.max(command.getValue(), consumer.position(partition(Topics.COMMANDS)))
                : command.getValue();
    }

    private long endOfResults() {
        return endOf(partition(Topics.RESULTS), IsolationLevel.READ_COMMITTED);
    }

    private static LogUnavailableException unavailable(String what, KafkaException cause) {
        if (cause instanceof AuthorizationException || cause instanceof UnsupportedVersionException) {
            throw cause;
        }
        if (cause instanceof InterruptException) {
            Thread.currentThread().interrupt();
        }
        return new LogUnavailableException("could not " + what + ": " + cause, cause);
    }

    @Override
    public void close() {
        if (finished > committed) {
            commit(true);
        }
        consumer.close(CloseOptions.timeout(CLOSE_LIMIT));
        admin.close(CLOSE_LIMIT);
    }
}
