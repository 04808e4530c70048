package io.weir.command.queue;

import io.weir.schemas.Iteration;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a {@link ClusterImage} off the topics, once, up to what is committed when it looks. */
public final class ClusterImageReader {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** How far before its end the journal is searched for the last iteration. */
    private static final long JOURNAL_TAIL = 2_000;

    private final Map<String, Object> consumer;
    private final TopicNames names;
    private final AvroCodec codec;

    /** Creates a reader with the given consumer properties. */
    public ClusterImageReader(Map<String, Object> consumer, TopicNames names, AvroCodec codec) {
        this.consumer = new HashMap<>(consumer);
        this.consumer.put("isolation.level", "read_committed");
        this.consumer.put("auto.offset.reset", "earliest");
        this.names = names;
        this.codec = codec;
    }

    /** Reads the topics. */
    public ClusterImage read() {
        ClusterImage image = ClusterImage.empty();
        try (KafkaConsumer<byte[], byte[]> source =
                new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            read(source, Topics.JOBS, Long.MAX_VALUE, entry -> keep(Topics.JOBS, entry, image.jobs()));
            read(source, Topics.NODES, Long.MAX_VALUE, entry -> keep(Topics.NODES, entry, image.nodes()));
            read(source, Topics.JOURNAL, JOURNAL_TAIL, entry -> iteration(entry, image));
        }
        return image;
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

    private void iteration(ConsumerRecord<byte[], byte[]> entry, ClusterImage image) {
        boolean iteration = FactHeaders.KIND
                .get(entry.headers())
                .filter(FactHeaders.KIND_ITERATION::equals)
                .isPresent();
        if (iteration) {
            Iteration last = codec.decode(Topics.JOURNAL, entry.value());
            image.iterations().put(last.getCluster(), last);
        }
    }

    private void read(
            KafkaConsumer<byte[], byte[]> source,
            Topic<?> topic,
            long tail,
            Consumer<ConsumerRecord<byte[], byte[]>> each) {
        List<PartitionInfo> found = source.partitionsFor(names.full(topic));
        if (found == null || found.isEmpty()) {
            throw new IllegalStateException("There is no topic " + names.full(topic)
                    + "; does Weir use this broker, and the prefix '" + names.prefix() + "'?");
        }
        List<TopicPartition> partitions = found.stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        source.assign(partitions);
        Map<TopicPartition, Long> ends = source.endOffsets(partitions);
        Map<TopicPartition, Long> beginnings = source.beginningOffsets(partitions);
        ends.forEach((partition, end) ->
                source.seek(partition, Math.max(beginnings.getOrDefault(partition, 0L), end - tail)));
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> source.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("Could not read " + names.full(topic) + " within " + LONGEST);
            }
            source.poll(Duration.ofMillis(100)).forEach(each);
        }
    }
}
