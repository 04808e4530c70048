package io.weir.monitoring.source;

import io.weir.schemas.GenericEvent;
import io.weir.schemas.NodeMetric;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes facts and waits until the broker has them. Thread-safe. */
final class FactWriter implements AutoCloseable {

    private static final int PATIENCE_MS = 30_000;

    private final Producer<byte[], byte[]> producer;
    private final TopicNames names;
    private final AvroCodec codec;

    FactWriter(Producer<byte[], byte[]> producer, TopicNames names, AvroCodec codec) {
        this.producer = producer;
        this.names = names;
        this.codec = codec;
    }

    /** Opens a writer with the Kafka settings {@code given}. */
    static FactWriter open(Map<String, Object> given, TopicNames names, AvroCodec codec) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class);
        return new FactWriter(
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()), names, codec);
    }

    /**
     * Writes {@code facts}, and gives up at the first that cannot be written: a broker that is away costs its time once,
     * not for each of them.
     *
     * @throws KafkaException when the broker does not have all of them; some may be there, and are written again
     */
    void write(Facts facts) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (NodeMetric metric : facts.metrics()) {
            sent.add(send(
                    new ProducerRecord<>(
                            names.full(Topics.MONITORING_METRICS),
                            new EntityKey(metric.getCluster(), metric.getNodeId()).toBytes(),
                            codec.encode(Topics.MONITORING_METRICS, metric)),
                    deadline));
        }
        for (GenericEvent event : facts.events()) {
            sent.add(send(
                    new ProducerRecord<>(
                            names.full(Topics.MONITORING_EVENTS),
                            new EntityKey(event.getCluster(), event.getObjectId()).toBytes(),
                            codec.encode(Topics.MONITORING_EVENTS, event)),
                    deadline));
        }
        for (Future<RecordMetadata> each : sent) {
            await(each, deadline);
        }
    }

    /** A producer that cannot take a record says so by what it returns, after it waited. */
    private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, long deadline)
            throws InterruptedException {
        Future<RecordMetadata> sent = producer.send(record);
        if (sent.isDone() || System.nanoTime() - deadline > 0) {
            await(sent, deadline);
        }
        return sent;
    }

    private static void await(Future<RecordMetadata> sent, long deadline) throws InterruptedException {
        try {
            sent.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaException("facts could not be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
