package io.weir.standalone;

import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads topics from beginning to end, committed records only, for commands and checks that look once. One thread. */
public final class TopicContents {
    private static final Logger log = LoggerFactory.getLogger(TopicContents.class);
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Connection connection;
    private final TopicNames names;

    /** Creates a reader of the topics behind {@code connection}. */
    public TopicContents(Connection connection, TopicNames names) {
        this.connection = connection;
        this.names = names;
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = connection.kafka();
        settings.put("isolation.level", "read_committed");
        settings.put("enable.auto.commit", "false");
        return settings;
    }

    /**
     * Returns the records of {@code topic} that are committed by now, in the order of each partition, apart from tombstones and
     * from what is no record of the topic: the services have put that aside.
     */
    public <T extends SpecificRecord> List<T> read(Topic<T> topic) {
        List<T> records = new ArrayList<>();
        try (AvroCodec codec = new AvroCodec(names, connection.registry());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(settings(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(names.full(topic)).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException("Could not read " + names.full(topic) + " within " + LONGEST);
                }
                for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(100))) {
                    if (entry.value() != null) {
                        decoded(codec, topic, entry).ifPresent(records::add);
                    }
                }
            }
        }
        return records;
    }

    private static <T extends SpecificRecord> Optional<T> decoded(
            AvroCodec codec, Topic<T> topic, ConsumerRecord<byte[], byte[]> entry) {
        try {
            return Optional.of(codec.decode(topic, entry.value()));
        } catch (PoisonRecordException e) {
            log.warn(
                    "Left out: topic={} partition={} offset={}: {}",
                    entry.topic(),
                    entry.partition(),
                    entry.offset(),
                    e.getMessage());
            return Optional.empty();
        }
    }
}
