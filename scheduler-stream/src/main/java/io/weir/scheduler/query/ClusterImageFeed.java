package io.weir.scheduler.query;

import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.Iteration;
import io.weir.schemas.JobStatus;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link ClusterImage} up to date with the topics, committed records only. One thread at
 * a time.
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
    private final KafkaConsumer<byte[], byte[]> source;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final ClusterImage image = ClusterImage.empty();

    /** Where the first words are of connectors that were met in the middle of an epoch. */
    private final Map<TopicPartition, Long> unintroduced = new HashMap<>();

    /** Opens a feed with the given consumer properties; the image is empty until {@link #catchUp}. */
    public ClusterImageFeed(Map<String, Object> consumer, TopicNames names, AvroCodec codec) {
        this.names = names;
        this.codec = codec;
        Map<String, Object> settings = new HashMap<>(consumer);
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        this.source = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            List<TopicPartition> recent = new ArrayList<>(partitionsOf(Topics.JOURNAL));
            recent.addAll(partitionsOf(Topics.RM_HEARTBEATS));
            for (Topic<?> topic : STATE) {
                partitions.addAll(partitionsOf(topic));
            }
            partitions.addAll(recent);
            source.assign(partitions);
            source.seekToBeginning(partitions);
            Map<TopicPartition, Long> beginnings = source.beginningOffsets(recent);
            source.endOffsets(recent)
                    .forEach((partition, end) -> source.seek(
                            partition, Math.max(beginnings.getOrDefault(partition, 0L), end - JOURNAL_TAIL)));
        } catch (RuntimeException e) {
            source.close();
            throw e;
        }
    }

    /** Reads up to what is committed by now and returns the image, which the next call changes. */
    public ClusterImage catchUp() {
        Map<TopicPartition, Long> ends = source.endOffsets(partitions);
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> source.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("Could not read the state topics within " + LONGEST);
            }
            source.poll(Duration.ofMillis(50)).forEach(this::take);
        }
        introduce();
        return image;
    }

    /** Looks up the first words of epochs that began long before the part of the topic that is read. */
    private void introduce() {
        Map<TopicPartition, Long> wanted = Map.copyOf(unintroduced);
        unintroduced.clear();
        wanted.forEach((partition, offset) -> {
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
            JobStatus before = image.jobs().get(new String(entry.key(), StandardCharsets.UTF_8));
            keep(Topics.JOBS, entry, image.jobs());
            JobStatus after = image.jobs().get(new String(entry.key(), StandardCharsets.UTF_8));
            if (after != null && after.getStartTime() != null && (before == null || before.getStartTime() == null)) {
                image.waits()
                        .computeIfAbsent(after.getCluster(), name -> new WaitHistory())
                        .started(after);
            }
        } else if (entry.topic().equals(names.full(Topics.NODES))) {
            keep(Topics.NODES, entry, image.nodes());
        } else if (entry.topic().equals(names.full(Topics.RESERVATIONS))) {
            keep(Topics.RESERVATIONS, entry, image.reservations());
        } else if (entry.topic().equals(names.full(Topics.EXPLANATIONS))) {
            keep(Topics.EXPLANATIONS, entry, image.explanations());
        } else if (entry.topic().equals(names.full(Topics.POLICY))) {
            keep(Topics.POLICY, entry, image.policies());
        } else if (entry.topic().equals(names.full(Topics.RM_HEARTBEATS))) {
            heard(entry);
        } else if (FactHeaders.KIND
                .get(entry.headers())
                .filter(FactHeaders.KIND_ITERATION::equals)
                .isPresent()) {
            Iteration last = codec.decode(Topics.JOURNAL, entry.value());
            image.iterations().put(last.getCluster(), last);
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
                        .build();
            }
            image.heartbeats().put(key, word);
            image.heard().put(key, Instant.ofEpochMilli(entry.timestamp()));
        } catch (RuntimeException e) {
            log.debug("No heartbeat at {}-{} offset {}", entry.topic(), entry.partition(), entry.offset(), e);
        }
    }

    private <T extends SpecificRecord> void keep(
            Topic<T> topic, ConsumerRecord<byte[], byte[]> entry, SortedMap<String, T> into) {
        String key = new String(entry.key(), StandardCharsets.UTF_8);
        if (entry.value() == null) {
            into.remove(key);
        } else {
            into.put(key, codec.decode(topic, entry.value()));
        }
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
