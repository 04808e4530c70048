package io.weir.scheduler;

import io.weir.scheduler.stream.HeldPositions;
import io.weir.service.ProgressWatch;
import io.weir.topics.Grant;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Makes the clients of the stream. A producer's transactional id names the member it belongs to, so that others can tell
 * whose transaction is left open, and so that an instance that lost its state directory still ends its own. (Kafka
 * Streams would use a random id kept in that directory.) Whatever a member commits, the broker is asked whether it is one still.
 */
final class StreamClients implements KafkaClientSupplier {
    /** Cannot be part of an application id, so no id of one application begins like those of another. */
    private static final char SEPARATOR = '/';

    private final String applicationId;
    private final String instanceId;
    private final java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> read;
    private final ProgressWatch commits;

    /** The main consumer of each thread; used on that thread only. */
    private final Map<String, Consumer<byte[], byte[]>> consumers = new ConcurrentHashMap<>();

    /** How long each thread waits for input; used on that thread only. */
    private final Map<String, InputWait> waits = new ConcurrentHashMap<>();

    /**
     * Makes clients.
     *
     * @param read is told, on the stream's threads, what each poll of a main consumer gave
     * @param commits is told of each thread's transactions
     */
    StreamClients(
            String applicationId,
            String instanceId,
            java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> read,
            ProgressWatch commits) {
        this.applicationId = applicationId;
        this.instanceId = instanceId;
        this.read = read;
        this.commits = commits;
    }

    /** Returns what the transactional ids of all members of {@code applicationId} begin with; a member's id follows. */
    static String transactionalPrefix(String applicationId) {
        return applicationId + SEPARATOR;
    }

    /** Returns what a stream does on a broker beside its own inputs and outputs. */
    static List<Grant> grants(String applicationId) {
        return List.of(
                Grant.ownTopics(applicationId + "-"),
                Grant.group(applicationId),
                Grant.transactions(transactionalPrefix(applicationId)));
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        String thread = threadOf(config);
        InputWait wait = waitOf(thread);
        return new KafkaProducer<>(named(config), new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public void beginTransaction() {
                super.beginTransaction();
                wait.stir();
                commits.begun(thread);
            }

            @Override
            public void commitTransaction() {
                super.commitTransaction();
                commits.done(thread);
            }

            @Override
            public void abortTransaction() {
                super.abortTransaction();
                commits.abandoned(thread);
            }

            @Override
            public void close(Duration timeout) {
                super.close(timeout);
                commits.abandoned(thread);
            }

            @Override
            public void sendOffsetsToTransaction(
                    Map<TopicPartition, OffsetAndMetadata> positions, ConsumerGroupMetadata member) {
                Consumer<byte[], byte[]> consumer = consumers.get(thread);
                super.sendOffsetsToTransaction(
                        consumer == null ? positions : HeldPositions.orHeld(positions, consumer), member);
            }
        };
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        String thread = threadOf(config);
        InputWait wait = waitOf(thread);
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
                    @Override
                    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                        ConsumerRecords<byte[], byte[]> records = super.poll(wait.of(timeout));
                        if (!records.isEmpty()) {
                            wait.stir();
                        }
                        read.accept(records);
                        return records;
                    }
                };
        consumers.put(thread, consumer);
        return consumer;
    }

    private InputWait waitOf(String thread) {
        return waits.computeIfAbsent(thread, name -> new InputWait(System::nanoTime));
    }

    /** Returns the thread whose client it is: Kafka Streams names clients after it, and puts their kind behind. */
    static String threadOf(Map<String, Object> config) {
        String client = String.valueOf(config.get(CommonClientConfigs.CLIENT_ID_CONFIG));
        return client.substring(0, Math.max(0, client.lastIndexOf('-')));
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return getRestoreConsumer(config);
    }

    /** Replaces the id that Kafka Streams made, but for the number of the thread at its end. */
    Map<String, Object> named(Map<String, Object> config) {
        String made = String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
        String thread = made.substring(made.lastIndexOf('-'));
        Map<String, Object> named = new HashMap<>(config);
        named.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalPrefix(applicationId) + instanceId + thread);
        return named;
    }
}
