package io.weir.notifier.runtime;

import io.weir.service.ServiceConfig;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.TopicNames;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Opens consumers and producers with the settings that exactly-once processing needs, whatever else is passed through.
 * Each reader has a group of its own, and a membership and a transactional id that survive a restart. Immutable.
 */
final class KafkaClients {

    private static final int BLOCK_MS = 15_000;
    private static final int RECORDS_AT_ONCE = 100;

    /** Long for a transaction of a few records; when a process is lost, another one waits this long for its partitions. */
    private static final int TRANSACTION_TIMEOUT_MS = 15_000;

    private final ServiceConfig config;
    private final TopicNames names;
    private final String instance;

    KafkaClients(ServiceConfig config, TopicNames names, String instance) {
        this.config = config;
        this.names = names;
        this.instance = instance;
    }

    /** Opens a consumer in the group of {@code reader}. */
    Consumer<byte[], byte[]> consumer(String reader) {
        Map<String, Object> properties = config.consumer();
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_AT_ONCE);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BLOCK_MS);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, id(reader));
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(reader));
        properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id(reader));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Opens a consumer of committed records that is in no group. */
    Consumer<byte[], byte[]> scanner() {
        Map<String, Object> properties = config.consumer();
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BLOCK_MS);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, id("scan"));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Opens the producer of {@code reader}; the one before it, in whatever process, can write no more. */
    Producer<byte[], byte[]> producer(String reader) {
        Map<String, Object> properties = config.producer();
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MS);
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, id(reader));
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id(reader));
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns what all groups and transactional ids begin with. */
    static String prefix(TopicNames names) {
        return names.prefix() + "notifier.";
    }

    private String group(String reader) {
        return prefix(names) + reader;
    }

    private String id(String reader) {
        return group(reader) + "." + instance;
    }
}
