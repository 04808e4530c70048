package io.weir.scheduler.cli;

import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.audit.snapshot.SnapshotChunks;
import io.weir.scheduler.audit.snapshot.SnapshotSink;
import io.weir.schemas.SnapshotChunk;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes snapshots to their topic, each with a producer of its own. */
final class SnapshotProducer implements SnapshotSink {
    private final Map<String, Object> client;
    private final AvroCodec codec;
    private final TopicNames names;
    private final Consumer<Snapshot> written;

    /**
     * Writes to the broker that {@code client} names.
     *
     * @param written is told of each snapshot that is on the topic
     */
    SnapshotProducer(Map<String, Object> client, AvroCodec codec, TopicNames names, Consumer<Snapshot> written) {
        this.client = new HashMap<>(client);
        this.client.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, ClusterPartitioner.class.getName());
        this.codec = codec;
        this.names = names;
        this.written = written;
    }

    @Override
    public void write(Snapshot snapshot) {
        String topic = names.full(Topics.SNAPSHOTS);
        long time = Objects.requireNonNull(snapshot.journal().getNow(), "an iteration has an instant")
                .toEpochMilli();
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (SnapshotChunk chunk : SnapshotChunks.of(snapshot)) {
                byte[] key = new EntityKey(chunk.getCluster(), chunk.getNumber() + "/" + chunk.getChunk()).toBytes();
                sent.add(producer.send(
                        new ProducerRecord<>(topic, null, time, key, codec.encode(Topics.SNAPSHOTS, chunk))));
            }
            for (Future<RecordMetadata> future : sent) {
                future.get();
            }
        } catch (ExecutionException e) {
            throw new KafkaException("Cannot write to " + topic + ": " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        written.accept(snapshot);
    }
}
