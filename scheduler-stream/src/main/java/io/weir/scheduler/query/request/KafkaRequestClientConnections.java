package io.weir.scheduler.query.request;

import io.weir.topics.ClusterPartitioner;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Clients with the settings that a {@link RequestClient} needs, whatever else is passed through. Immutable. */
public final class KafkaRequestClientConnections implements RequestClientConnections {
    private final Map<String, Object> consumer;
    private final Map<String, Object> producer;
    private final Map<String, Object> admin;

    public KafkaRequestClientConnections(
            Map<String, Object> consumer, Map<String, Object> producer, Map<String, Object> admin) {
        this.consumer = consumer;
        this.producer = producer;
        this.admin = admin;
    }

    @Override
    public Consumer<byte[], byte[]> answers() {
        return new KafkaConsumer<>(
                consumerSettings(consumer), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Returns {@code given} settings with what the consumer of answers needs on top. */
    public static Map<String, Object> consumerSettings(Map<String, Object> given) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return settings;
    }

    @Override
    public Producer<byte[], byte[]> requests() {
        return new KafkaProducer<>(producerSettings(producer), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns {@code given} settings with what the producer of requests needs on top. */
    public static Map<String, Object> producerSettings(Map<String, Object> given) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class.getName());
        return settings;
    }

    @Override
    public Admin admin() {
        return Admin.create(admin);
    }
}
