package io.weir.standalone.bench;

import io.weir.schemas.NodeMetric;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes metrics of many nodes at a steady rate, from a thread of its own, until closed. Temperatures rise and fall:
 * each node passes {@link #HOT} once in a while.
 */
public final class MetricLoad implements AutoCloseable {
    /** The temperature that is worth an event. */
    public static final double HOT = 80;

    private static final int NODES = 10_000;
    private static final List<String> METRICS = List.of("temp", "power", "load", "memory", "fan");
    private static final long TICK_NANOS = 10_000_000;
    private static final double MEAN = 60;
    private static final double SWING = 21;
    private static final double PERIOD_SECONDS = 300;

    private final AvroCodec codec;
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final AtomicLong acknowledged = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Exception failure;

    /** Begins to publish {@code perSecond} metrics a second. */
    public MetricLoad(Connection connection, int perSecond) {
        TopicNames names = new TopicNames(TopicNames.DEFAULT_PREFIX);
        codec = new AvroCodec(names, connection.registry());
        codec.prepare(List.of(Topics.MONITORING_METRICS));
        topic = names.full(Topics.MONITORING_METRICS);
        Map<String, Object> settings = connection.kafka();
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 17);
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class);
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        thread = new Thread(() -> run(perSecond), "metric-load");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(int perSecond) {
        long began = System.nanoTime();
        long sent = 0;
        while (!closed) {
            double seconds = (System.nanoTime() - began) / 1e9;
            for (long due = (long) (seconds * perSecond); sent < due; sent++) {
                send((int) (sent / METRICS.size() % NODES), METRICS.get((int) (sent % METRICS.size())), seconds);
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
        producer.flush();
    }

    private void send(int node, String metric, double seconds) {
        String id = "n" + node;
        double value = MEAN + SWING * Math.sin(2 * Math.PI * (seconds / PERIOD_SECONDS + node / (double) NODES));
        NodeMetric record = new NodeMetric(LatencyBench.CLUSTER, id, metric, value, Instant.now());
        var unused = producer.send(
                new ProducerRecord<>(
                        topic,
                        new EntityKey(LatencyBench.CLUSTER, id).toBytes(),
                        codec.encode(Topics.MONITORING_METRICS, record)),
                (written, e) -> {
                    if (e == null) {
                        acknowledged.incrementAndGet();
                    } else {
                        failure = e;
                    }
                });
    }

    /** Returns how many metrics the broker has acknowledged. */
    public long acknowledged() {
        return acknowledged.get();
    }

    /** Stops publishing; returns when all metrics are acknowledged. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close();
        codec.close();
        Exception cause = failure;
        if (cause != null) {
            throw new IllegalStateException("Metrics could not be written: " + cause.getMessage(), cause);
        }
    }
}
