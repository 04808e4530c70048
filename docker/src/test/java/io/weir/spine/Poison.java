package io.weir.spine;

import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.schemas.NodeAllocation;
import io.weir.schemas.PolicyVersion;
import io.weir.standalone.Connection;
import io.weir.standalone.TraceRun;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Sends records that no scheduler can use to each of its inputs, and reads the dead letters. */
final class Poison implements AutoCloseable {
    private static final byte[] KEY = (TraceRun.CLUSTER + "/poison").getBytes(StandardCharsets.UTF_8);
    private static final Instant TIME = Instant.parse("2001-09-09T02:00:00Z");

    private final Connection connection;
    private final TopicNames names;
    private final AvroCodec codec;
    private final KafkaProducer<byte[], byte[]> producer;

    /** Where a record lies; the topic without prefix. */
    record Place(String topic, long offset) {}

    Poison(Connection connection, TopicNames names) {
        this.connection = connection;
        this.names = names;
        this.codec = new AvroCodec(names, connection.registry());
        this.producer = new KafkaProducer<>(connection.kafka(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Sends every kind of poison; returns where it lies. */
    List<Place> spread() throws Exception {
        List<Place> places = new ArrayList<>();
        byte[] otherType = codec.encode(
                Topics.DEAD_LETTERS,
                DeadLetter.newBuilder()
                        .setService("test")
                        .setTopic("none")
                        .setPartition(0)
                        .setOffset(0)
                        .setTimestamp(0)
                        .setCause("NONE")
                        .setMessage("")
                        .build());
        byte[] unknownSchema = otherType.clone();
        unknownSchema[1] = 0x7f;
        for (Topic<?> topic : SchedulerTopology.inputs()) {
            places.add(send(topic, KEY, "no Avro at all".getBytes(StandardCharsets.UTF_8)));
            places.add(send(topic, KEY, new byte[0]));
            places.add(send(topic, null, new byte[] {0, 0, 0}));
            places.add(send(topic, KEY, otherType));
            places.add(send(topic, KEY, unknownSchema));
            places.add(sendWithoutTime(topic, "before time".getBytes(StandardCharsets.UTF_8)));
        }
        places.add(send(Topics.RM_JOBS, KEY, codec.encode(Topics.RM_JOBS, job("nowhere", 1, "trace"))));
        places.add(send(Topics.RM_JOBS, KEY, codec.encode(Topics.RM_JOBS, job("negative", -5, "trace"))));
        byte[] elsewhere = "elsewhere/1".getBytes(StandardCharsets.UTF_8);
        places.add(send(Topics.RM_JOBS, elsewhere, codec.encode(Topics.RM_JOBS, job("1", 1, "elsewhere"))));
        places.add(send(
                Topics.POLICY,
                elsewhere,
                codec.encode(
                        Topics.POLICY,
                        PolicyVersion.newBuilder()
                                .setCluster("elsewhere")
                                .setVersion("0")
                                .setText("BACKFILLPOLICY NONE")
                                .setTime(TIME)
                                .build())));
        return places;
    }

    /** Reads dead letters until there are {@code count}. */
    List<DeadLetter> awaitDeadLetters(int count) {
        List<DeadLetter> letters = new ArrayList<>();
        TopicPartition partition = new TopicPartition(names.full(Topics.DEAD_LETTERS), 0);
        Map<String, Object> settings = connection.kafka();
        settings.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (letters.size() < count && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    letters.add(codec.decode(Topics.DEAD_LETTERS, record.value()));
                }
            }
        }
        return letters;
    }

    @Override
    public void close() {
        producer.close();
        codec.close();
    }

    private Place send(Topic<?> topic, byte @Nullable [] key, byte[] value) throws Exception {
        return send(topic, new ProducerRecord<>(names.full(topic), 0, key, value));
    }

    /** The producer refuses negative timestamps unless a record insists; -1 says that there is none. */
    private Place sendWithoutTime(Topic<?> topic, byte[] value) throws Exception {
        return send(topic, new ProducerRecord<>(names.full(topic), 0, KEY, value) {
            @Override
            public Long timestamp() {
                return -1L;
            }
        });
    }

    private Place send(Topic<?> topic, ProducerRecord<byte[], byte[]> record) throws Exception {
        RecordMetadata written = producer.send(record).get();
        return new Place(topic.name(), written.offset());
    }

    private static JobReport job(String id, int tasks, String cluster) {
        return JobReport.newBuilder()
                .setCluster(cluster)
                .setJobId(id)
                .setQueueSequence(Long.MAX_VALUE)
                .setState(JobState.RUNNING)
                .setTasks(tasks)
                .setSubmitTime(TIME)
                .setStartTime(TIME)
                .setAllocation(List.of(NodeAllocation.newBuilder()
                        .setNodeId("no-such-node")
                        .setProcs(1)
                        .build()))
                .build();
    }
}
