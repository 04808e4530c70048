package io.weir.scheduler.query.image;

import io.weir.schemas.Explanation;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.schemas.NodeStatus;
import io.weir.schemas.PolicyVersion;
import io.weir.schemas.ReservationStatus;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link ClusterImage} up to date with the topics, committed records only. A record that cannot be read is left
 * out: what its key had before stays. One thread at a time calls {@link #catchUp}; others may {@link #look} meanwhile.
 */
public final class ClusterImageFeed implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClusterImageFeed.class);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration HELLO_PATIENCE = Duration.ofSeconds(2);

    /** How far before its end the journal is searched for the last iteration. */
    private static final long JOURNAL_TAIL = 2_000;

    private static final List<Topic<?>> STATE =
            List.of(Topics.JOBS, Topics.NODES, Topics.RESERVATIONS, Topics.EXPLANATIONS, Topics.POLICY);

    private final TopicNames names;
    private final AvroCodec codec;
    private final Consumer<byte[], byte[]> source;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final ClusterImage image = ClusterImage.empty();

    /** Where the first words are of connectors that were met in the middle of an epoch. */
    private final Map<TopicPartition, Long> unintroduced = new HashMap<>();

    private final UnreadableRecords unreadable;

    /** Keeps those who look from seeing half of a change. */
    private final ReadWriteLock access = new ReentrantReadWriteLock();

    private boolean whole;

    /** Opens a feed with the given consumer properties; the image is empty until {@link #catchUp}. */
    public ClusterImageFeed(Map<String, Object> consumer, TopicNames names, AvroCodec codec) {
        this(consumer, names, codec, new UnreadableRecords());
    }

    /** Opens a feed that says which records it left out. */
    public ClusterImageFeed(
            Map<String, Object> consumer, TopicNames names, AvroCodec codec, UnreadableRecords unreadable) {
        this(open(consumer), names, codec, unreadable);
    }

    /** Opens a feed on {@code source}, which it closes. */
    public ClusterImageFeed(
            Consumer<byte[], byte[]> source, TopicNames names, AvroCodec codec, UnreadableRecords unreadable) {
        this.names = names;
        this.codec = codec;
        this.source = source;
        this.unreadable = unreadable;
        unreadable.begin();
        try {
            List<TopicPartition> recent = recentPartitions();
            partitions.addAll(statePartitions());
            partitions.addAll(recent);
            source.assign(partitions);
            source.seekToBeginning(partitions);
            Map<TopicPartition, Long> beginnings = source.beginningOffsets(partitions);
            sayWhatIsMissing(beginnings);
            source.endOffsets(recent)
                    .forEach((partition, end) -> source.seek(
                            partition, Math.max(beginnings.getOrDefault(partition, 0L), end - JOURNAL_TAIL)));
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /** Compaction alone never moves the beginning of a topic. */
    private void sayWhatIsMissing(Map<TopicPartition, Long> beginnings) {
        beginnings.forEach((partition, beginning) -> {
            boolean compacted = names.topic(partition.topic())
                    .filter(topic -> topic.cleanup() == Topic.Cleanup.COMPACT)
                    .isPresent();
            if (compacted && beginning > 0) {
                log.warn(
                        "Records of {} were removed up to offset {}, perhaps the latest of their keys. What has not changed since"
                                + " then is missing for every reader of the topic, though the scheduler has it; any change of"
                                + " it, as by mnodectl -m message, publishes it again",
                        partition,
                        beginning);
            }
        });
    }

    private List<TopicPartition> recentPartitions() {
        List<TopicPartition> recent = new ArrayList<>(partitionsOf(Topics.JOURNAL));
        recent.addAll(partitionsOf(Topics.RM_HEARTBEATS));
        return recent;
    }

    private List<TopicPartition> statePartitions() {
        List<TopicPartition> state = new ArrayList<>();
        for (Topic<?> topic : STATE) {
            state.addAll(partitionsOf(topic));
        }
        return state;
    }

    private static Consumer<byte[], byte[]> open(Map<String, Object> consumer) {
        Map<String, Object> settings = new HashMap<>(consumer);
        settings.put("isolation.level", "read_committed");
        // A position that is gone means records that were never seen: the image has to be made anew.
        settings.put("auto.offset.reset", "none");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Reads up to what is committed by now and returns the image, which the next call changes.
     *
     * @throws org.apache.kafka.common.errors.RetriableException when broker or registry do not answer; another call goes
     *     on where this one stopped
     * @throws KafkaException when the topics no longer hold what comes next; only another feed helps
     */
    public ClusterImage catchUp() {
        Map<TopicPartition, Long> ends = source.endOffsets(partitions);
        long deadline = System.nanoTime() + LONGEST.toNanos();
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        checkNotMadeAnew(ends);
        checkNoneAdded();
        Map<TopicPartition, Long> from = positions();
        try {
            while (ends.entrySet().stream().anyMatch(end -> source.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() > deadline) {
                    throw new TimeoutException("Could not read the state topics within " + LONGEST);
                }
                source.poll(Duration.ofMillis(50)).forEach(batch::add);
                if (!whole) {
                    // Nobody looks yet, and everything there is does not fit in memory twice.
                    apply(batch);
                    batch.clear();
                    from = positions();
                }
            }
            apply(batch);
        } catch (RetriableException e) {
            from.forEach(source::seek);
            throw e;
        }
        introduce();
        whole = true;
        return image;
    }

    /** Answers a question about the image as it was after some call of {@link #catchUp}. */
    <T> T look(Function<ClusterImage, T> question) {
        access.readLock().lock();
        try {
            return question.apply(image);
        } finally {
            access.readLock().unlock();
        }
    }

    /** Ends a call of {@link #catchUp} on another thread, for good. */
    void wakeUp() {
        source.wakeup();
    }

    /** Refuses to go on where a topic ends before what was read: it is another one under the same name. */
    private void checkNotMadeAnew(Map<TopicPartition, Long> ends) {
        ends.forEach((partition, end) -> {
            long position = source.position(partition);
            if (position > end) {
                throw new KafkaException(partition + " ends at offset " + end + ", before " + position
                        + ", up to which it was read: it was made anew");
            }
        });
    }

    /** Refuses to go on where a topic has more partitions: what is written for a cluster may go to one of the new ones. */
    private void checkNoneAdded() {
        List<TopicPartition> present = statePartitions();
        present.addAll(recentPartitions());
        present.removeAll(new HashSet<>(partitions));
        if (!present.isEmpty()) {
            throw new KafkaException("Partitions were added: " + present);
        }
    }

    /** Returns where reading goes on; topics that grow are read past the ends they had. */
    private Map<TopicPartition, Long> positions() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        partitions.forEach(partition -> positions.put(partition, source.position(partition)));
        return positions;
    }

    /** Applies records; a registry that is away lets it be called with the same ones again. */
    private void apply(List<ConsumerRecord<byte[], byte[]>> batch) {
        access.writeLock().lock();
        try {
            for (ConsumerRecord<byte[], byte[]> entry : batch) {
                try {
                    take(entry);
                    unreadable.taken(place(entry));
                } catch (RegistryUnavailableException e) {
                    throw e;
                } catch (RuntimeException e) {
                    unreadable.note(place(entry), e);
                }
            }
        } finally {
            access.writeLock().unlock();
        }
    }

    /**
     * Looks up the first words of epochs that began long before the part of the topic that is read. One that has expired is
     * done without: full polls say the same.
     */
    private void introduce() {
        if (unintroduced.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> wanted = Map.copyOf(unintroduced);
        Map<TopicPartition, Long> beginnings = source.beginningOffsets(wanted.keySet());
        unintroduced.clear();
        wanted.forEach((partition, offset) -> {
            if (offset < beginnings.getOrDefault(partition, 0L)) {
                return;
            }
            long position = source.position(partition);
            List<TopicPartition> others = partitions.stream()
                    .filter(other -> !other.equals(partition))
                    .toList();
            source.pause(others);
            try {
                source.seek(partition, offset);
                source.poll(HELLO_PATIENCE).records(partition).stream()
                        .filter(entry -> entry.offset() == offset)
                        .findFirst()
                        .ifPresent(this::introduced);
            } catch (OffsetOutOfRangeException e) {
                log.debug("The hello at {} offset {} has expired meanwhile", partition, offset, e);
            } finally {
                source.seek(partition, position);
                source.resume(others);
            }
        });
    }

    private void introduced(ConsumerRecord<byte[], byte[]> entry) {
        try {
            Heartbeat hello = codec.decode(Topics.RM_HEARTBEATS, entry.value());
            image.heartbeats()
                    .computeIfPresent(
                            hello.getCluster() + "/" + hello.getConnector(),
                            (key, word) -> word.getRmType() != null
                                    ? word
                                    : Heartbeat.newBuilder(word)
                                            .setRmType(hello.getRmType())
                                            .setRmVersion(hello.getRmVersion())
                                            .setPollSeconds(hello.getPollSeconds())
                                            .build());
        } catch (RuntimeException e) {
            log.debug("No hello at {}-{} offset {}", entry.topic(), entry.partition(), entry.offset(), e);
        }
    }

    @Override
    public void close() {
        source.close();
    }

    private void take(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.topic().equals(names.full(Topics.JOBS))) {
            job(entry);
        } else if (entry.topic().equals(names.full(Topics.NODES))) {
            keep(Topics.NODES, entry, image.nodes(), NodeStatus::getCluster);
        } else if (entry.topic().equals(names.full(Topics.RESERVATIONS))) {
            keep(Topics.RESERVATIONS, entry, image.reservations(), ReservationStatus::getCluster);
        } else if (entry.topic().equals(names.full(Topics.EXPLANATIONS))) {
            keep(Topics.EXPLANATIONS, entry, image.explanations(), Explanation::getCluster);
        } else if (entry.topic().equals(names.full(Topics.POLICY))) {
            image.policies().put(key(entry), read(Topics.POLICY, entry, PolicyVersion::getCluster));
        } else if (entry.topic().equals(names.full(Topics.RM_HEARTBEATS))) {
            heard(entry);
        } else if (FactHeaders.KIND
                .get(entry.headers())
                .filter(FactHeaders.KIND_ITERATION::equals)
                .isPresent()) {
            Iteration last = codec.decode(Topics.JOURNAL, entry.value());
            image.iterations().put(last.getCluster(), last);
            image.policies().inForce(last.getCluster(), last.getPolicyVersion());
        }
    }

    private void job(ConsumerRecord<byte[], byte[]> entry) {
        JobStatus before = image.jobs().get(key(entry));
        keep(Topics.JOBS, entry, image.jobs(), JobStatus::getCluster);
        JobStatus after = image.jobs().get(key(entry));
        if (after != null && after.getStartTime() != null && (before == null || before.getStartTime() == null)) {
            image.waits()
                    .computeIfAbsent(after.getCluster(), name -> new WaitHistory())
                    .started(after);
        }
    }

    /** Heartbeats are input: what cannot be read is a dead letter of the scheduler's, and nothing here. */
    private void heard(ConsumerRecord<byte[], byte[]> entry) {
        try {
            Heartbeat word = codec.decode(Topics.RM_HEARTBEATS, entry.value());
            String key = word.getCluster() + "/" + word.getConnector();
            if (word.getKind() == HeartbeatKind.HELLO) {
                image.epochs().put(key, entry.offset());
            }
            OptionalLong epoch = FactHeaders.EPOCH.get(entry.headers());
            if (epoch.isPresent() && !image.epochs().containsKey(key)) {
                // An epoch is called by the offset of its first word.
                image.epochs().put(key, epoch.getAsLong());
                unintroduced.put(new TopicPartition(entry.topic(), entry.partition()), epoch.getAsLong());
            }
            Heartbeat before = image.heartbeats().get(key);
            if (before != null && word.getRmType() == null) {
                // Only the first word of an epoch and full polls say what it is.
                word = Heartbeat.newBuilder(word)
                        .setRmType(before.getRmType())
                        .setRmVersion(before.getRmVersion())
                        .setPollSeconds(before.getPollSeconds())
                        .build();
            }
            image.heartbeats().put(key, word);
            image.heard().put(key, Instant.ofEpochMilli(entry.timestamp()));
        } catch (RegistryUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            log.debug("No heartbeat at {}-{} offset {}", entry.topic(), entry.partition(), entry.offset(), e);
        }
    }

    private <T extends SpecificRecord> void keep(
            Topic<T> topic,
            ConsumerRecord<byte[], byte[]> entry,
            SortedMap<String, T> into,
            Function<T, String> clusterOf) {
        T record = read(topic, entry, clusterOf);
        if (record == null) {
            into.remove(key(entry));
        } else {
            into.put(key(entry), record);
        }
    }

    /** Returns the record of {@code entry}, which has to be about the cluster of its key; null for one that removes. */
    private <T extends SpecificRecord> @Nullable T read(
            Topic<T> topic, ConsumerRecord<byte[], byte[]> entry, Function<T, String> clusterOf) {
        String key = key(entry);
        if (entry.value() == null) {
            return null;
        }
        T record = codec.decode(topic, entry.value());
        if (!key.startsWith(clusterOf.apply(record) + "/")) {
            throw new PoisonRecordException(
                    "The key is '" + key + "', the record is about cluster '" + clusterOf.apply(record) + "'");
        }
        return record;
    }

    private static UnreadableRecords.Place place(ConsumerRecord<byte[], byte[]> entry) {
        String key = entry.key() == null ? null : new String(entry.key(), StandardCharsets.UTF_8);
        return new UnreadableRecords.Place(entry.topic(), entry.partition(), entry.offset(), key);
    }

    private static String key(ConsumerRecord<byte[], byte[]> entry) {
        if (entry.key() == null) {
            throw new PoisonRecordException("It has no key");
        }
        return new String(entry.key(), StandardCharsets.UTF_8);
    }

    private List<TopicPartition> partitionsOf(Topic<?> topic) {
        List<PartitionInfo> found = source.partitionsFor(names.full(topic));
        if (found == null || found.isEmpty()) {
            throw new IllegalStateException("There is no topic " + names.full(topic)
                    + "; does Weir use this broker, and the prefix '" + names.prefix() + "'?");
        }
        return found.stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
    }
}
