package io.weir.rm.runtime.fact;

import io.weir.service.ProgressWatch;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The fact topics behind an idempotent producer. A record that could not be written makes every later call fail, so
 * nothing is ever written after a gap; so does a log that lost what was written before. What a new epoch cannot cure (rights,
 * size) is thrown as Kafka threw it.
 */
public final class KafkaFactLog implements FactLog {
    /** What becomes of facts. */
    public static final String PUBLISHED = "published";

    private static final int BATCH_BYTES = 256 << 10;
    /** A flush comes sooner. */
    private static final int LINGER_MS = 50;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final AvroCodec codec;
    private final TopicNames names;
    private final String cluster;

    private final ProgressWatch acknowledgements;

    /** Facts that no broker has acknowledged so far. */
    private final AtomicLong pending = new AtomicLong();

    /** Why a record could not be written; set by the producer's thread. */
    private volatile @Nullable Exception failure;

    /** Where the last record of each partition was written; the producer's thread's own. */
    private final Map<TopicPartition, Long> lastOffsets = new HashMap<>();

    /**
     * Connects.
     *
     * @param properties properties of the producer; what this class needs is set on top
     * @param together as {@link #settings}
     * @param acknowledgements is told of what is sent and acknowledged
     */
    public KafkaFactLog(
            Map<String, Object> properties,
            boolean together,
            AvroCodec codec,
            TopicNames names,
            String cluster,
            ProgressWatch acknowledgements) {
        this(
                new KafkaProducer<>(
                        settings(properties, cluster, together), new ByteArraySerializer(), new ByteArraySerializer()),
                codec,
                names,
                cluster,
                acknowledgements);
    }

    /** Connects without a word on how the log takes it. */
    public KafkaFactLog(
            Map<String, Object> properties, boolean together, AvroCodec codec, TopicNames names, String cluster) {
        this(properties, together, codec, names, cluster, new ProgressWatch(PUBLISHED));
    }

    /** Writes with {@code producer}, which has the {@link #settings} and is closed with this log. */
    public KafkaFactLog(Producer<byte[], byte[]> producer, AvroCodec codec, TopicNames names, String cluster) {
        this(producer, codec, names, cluster, new ProgressWatch(PUBLISHED));
    }

    KafkaFactLog(
            Producer<byte[], byte[]> producer,
            AvroCodec codec,
            TopicNames names,
            String cluster,
            ProgressWatch acknowledgements) {
        this.acknowledgements = acknowledgements;
        this.producer = producer;
        this.codec = codec;
        this.names = names;
        this.cluster = cluster;
    }

    /**
     * Returns {@code properties} of a producer with what this class needs on top.
     *
     * @param together whether facts wait for a {@link #flush}, so that they are one request; otherwise a fact goes out at once
     *     while none is under way, and those that come meanwhile follow in one request
     */
    public static Map<String, Object> settings(Map<String, Object> properties, String cluster, boolean together) {
        Map<String, Object> settings = new HashMap<>(properties);
        settings.putIfAbsent(ProducerConfig.CLIENT_ID_CONFIG, "rm-connector-" + cluster);
        settings.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, together ? LINGER_MS : 0);
        settings.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class);
        return settings;
    }

    @Override
    public <T extends SpecificRecord> long appendFirst(Topic<T> topic, String entity, T fact, String connector) {
        ProducerRecord<byte[], byte[]> message = message(topic, entity, fact);
        FactHeaders.CONNECTOR.put(message.headers(), connector);
        Future<RecordMetadata> sent = send(message);
        try {
            return sent.get().offset();
        } catch (ExecutionException e) {
            throw unavailable("write to " + names.full(topic), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogUnavailableException("interrupted while writing to " + names.full(topic), e);
        }
    }

    @Override
    public <T extends SpecificRecord> void append(Topic<T> topic, String entity, T fact, FactOrigin origin) {
        ProducerRecord<byte[], byte[]> message = message(topic, entity, fact);
        FactHeaders.CONNECTOR.put(message.headers(), origin.connector());
        FactHeaders.EPOCH.put(message.headers(), origin.epoch());
        FactHeaders.SEQUENCE.put(message.headers(), origin.sequence());
        var unused = send(message);
    }

    @Override
    public <T extends SpecificRecord> void append(Topic<T> topic, String entity, T record) {
        var unused = send(message(topic, entity, record));
    }

    private <T extends SpecificRecord> ProducerRecord<byte[], byte[]> message(Topic<T> topic, String entity, T fact) {
        try {
            return new ProducerRecord<>(
                    names.full(topic), new EntityKey(cluster, entity).toBytes(), codec.encode(topic, fact));
        } catch (RegistryUnavailableException e) {
            throw new LogUnavailableException("the schema registry gives no usable answer: " + e.getMessage(), e);
        }
    }

    private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message) {
        check();
        if (pending.getAndIncrement() == 0) {
            acknowledgements.begun(PUBLISHED);
        }
        try {
            return producer.send(message, (written, e) -> {
                if (e != null) {
                    failure = e instanceof RecordTooLargeException
                            ? new RecordTooLargeException(
                                    "could not write to " + message.topic() + ": " + e.getMessage(), e)
                            : e;
                } else {
                    acknowledged();
                    written(written);
                }
            });
        } catch (KafkaException e) {
            throw unavailable("write to " + message.topic(), e);
        }
    }

    /**
     * Notices that brokers lost the end of what was written before, as when they were restored from copies: then the scheduler
     * cannot follow the numbers of this epoch any more.
     */
    private void written(RecordMetadata place) {
        if (!place.hasOffset()) {
            return;
        }
        TopicPartition partition = new TopicPartition(place.topic(), place.partition());
        Long before = lastOffsets.put(partition, place.offset());
        if (before != null && place.offset() <= before) {
            failure = new KafkaException(partition + " has lost records: after one at offset " + before
                    + ", another was written at offset " + place.offset());
        }
    }

    /** The rest begins to wait anew: the log takes what it is given, one record after the other. */
    private void acknowledged() {
        acknowledgements.done(PUBLISHED);
        if (pending.decrementAndGet() > 0) {
            acknowledgements.begun(PUBLISHED);
        }
    }

    @Override
    public void flush() {
        try {
            producer.flush();
        } catch (KafkaException e) {
            throw unavailable("write facts", e);
        }
        check();
    }

    private void check() {
        @Nullable Exception cause = failure;
        if (cause != null) {
            throw unavailable("write facts", cause);
        }
    }

    /** Returns the exception for a new epoch to be opened, unless that would be of no use. */
    private static LogUnavailableException unavailable(String what, @Nullable Throwable cause) {
        if (cause instanceof AuthorizationException
                || cause instanceof RecordTooLargeException
                || cause instanceof UnsupportedVersionException) {
            throw (KafkaException) cause;
        }
        if (cause instanceof InterruptException) {
            Thread.currentThread().interrupt();
        }
        return new LogUnavailableException("could not " + what + ": " + cause, cause);
    }

    @Override
    public void close() {
        producer.close(failure == null ? CLOSE_LIMIT : Duration.ZERO);
        acknowledgements.abandoned(PUBLISHED);
    }
}
