package io.weir.standalone;

import io.weir.schemas.PolicyVersion;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RecordSize;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes a site configuration as a version of the policy, unless it is the one published last. */
public final class PolicyPublisher {
    private final Connection connection;
    private final TopicNames names;

    /** Creates a publisher for the given broker. */
    public PolicyPublisher(Connection connection, TopicNames names) {
        this.connection = connection;
        this.names = names;
    }

    /**
     * Publishes {@code text}; returns its version.
     *
     * @param source file or command it came from
     */
    public String publish(String cluster, String text, String source) {
        String version = sha256(text);
        try (AvroCodec codec = new AvroCodec(names, connection.registry())) {
            if (!last(cluster, codec).filter(version::equals).isPresent()) {
                PolicyVersion record = PolicyVersion.newBuilder()
                        .setCluster(cluster)
                        .setVersion(version)
                        .setText(text)
                        .setSource(source)
                        .setPrincipal(System.getProperty("user.name"))
                        .setTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
                        .build();
                write(new EntityKey(cluster, version).toBytes(), codec.encode(Topics.POLICY, record));
            }
        }
        return version;
    }

    private void write(byte[] key, byte[] value) {
        Map<String, Object> settings = connection.kafka();
        settings.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class.getName());
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, RecordSize.most(Topics.POLICY));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(names.full(Topics.POLICY), key, value))
                    .get();
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot write to " + names.full(Topics.POLICY), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while writing to " + names.full(Topics.POLICY), e);
        }
    }

    /** Returns the version that was published last for {@code cluster}. */
    private Optional<String> last(String cluster, AvroCodec codec) {
        Map<String, Object> settings = connection.kafka();
        settings.put("isolation.level", "read_committed");
        Optional<String> last = Optional.empty();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            String topic = names.full(Topics.POLICY);
            int partitions = consumer.partitionsFor(topic).size();
            TopicPartition partition = new TopicPartition(topic, ClusterPartitioner.partition(cluster, partitions));
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    Optional<String> version = version(cluster, record, codec);
                    last = version.isPresent() ? version : last;
                }
            }
        }
        return last;
    }

    /** Returns the version that a record publishes for {@code cluster}; empty for none, or when it is no configuration. */
    private static Optional<String> version(String cluster, ConsumerRecord<byte[], byte[]> record, AvroCodec codec) {
        if (record.key() == null
                || record.value() == null
                || !EntityKey.parse(record.key()).cluster().equals(cluster)) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(Topics.POLICY, record.value()))
                    .filter(policy -> policy.getCluster().equals(cluster))
                    .map(PolicyVersion::getVersion);
        } catch (PoisonRecordException e) {
            // The scheduler has put it aside.
            return Optional.empty();
        }
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
