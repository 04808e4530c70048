package io.weir.notifier.runtime;

import io.weir.service.ServiceConfig;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.RecordSize;
import io.weir.topics.TopicNames;
import java.util.HashMap;
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
public final class KafkaClients implements NotifierClients {

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

    @Override
    public Consumer<byte[], byte[]> consumer(String reader) {
        return new KafkaConsumer<>(
                consumerSettings(config.consumer(), names, reader, instance),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Returns {@code given} settings with what the consumer of {@code reader} in {@code instance} needs on top. */
    public static Map<String, Object> consumerSettings(
            Map<String, Object> given, TopicNames names, String reader, String instance) {
        Map<String, Object> properties = new HashMap<>(given);
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_AT_ONCE);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BLOCK_MS);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, id(names, reader, instance));
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(names, reader));
        properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id(names, reader, instance));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return properties;
    }

    @Override
    public Consumer<byte[], byte[]> scanner() {
        return new KafkaConsumer<>(
                scannerSettings(config.consumer(), names, instance),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Opens a consumer of committed records that knows the positions of {@code reader}'s group and never joins it. */
    Consumer<byte[], byte[]> follower(String reader) {
        Map<String, Object> properties = new HashMap<>(scannerSettings(config.consumer(), names, instance));
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, id(names, reader + ".follower", instance));
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, group(names, reader));
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Returns {@code given} settings with what a consumer without a group needs on top. */
    public static Map<String, Object> scannerSettings(Map<String, Object> given, TopicNames names, String instance) {
        Map<String, Object> properties = new HashMap<>(given);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, BLOCK_MS);
        properties.put(ConsumerConfig.CLIENT_ID_CONFIG, id(names, "scan", instance));
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return properties;
    }

    @Override
    public Producer<byte[], byte[]> producer(String reader) {
        return new KafkaProducer<>(
                producerSettings(config.producer(RecordSize.LARGEST), names, reader, instance),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Returns {@code given} settings with what the producer of {@code reader} in {@code instance} needs on top. */
    public static Map<String, Object> producerSettings(
            Map<String, Object> given, TopicNames names, String reader, String instance) {
        Map<String, Object> properties = new HashMap<>(given);
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MS);
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, id(names, reader, instance));
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id(names, reader, instance));
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class);
        return properties;
    }

    /** Returns what all groups and transactional ids begin with. */
    static String prefix(TopicNames names) {
        return names.prefix() + "notifier.";
    }

    private static String group(TopicNames names, String reader) {
        return prefix(names) + reader;
    }

    private static String id(TopicNames names, String reader, String instance) {
        return group(names, reader) + "." + instance;
    }

    /** Returns the group of the reader of {@code channel}. */
    public static String groupOfChannel(TopicNames names, String channel) {
        return group(names, Readers.ofChannel(channel));
    }
}
