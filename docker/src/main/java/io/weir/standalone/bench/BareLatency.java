package io.weir.standalone.bench;

import io.weir.schemas.JobReport;
import io.weir.schemas.JobState;
import io.weir.standalone.Connection;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the time of submissions through a {@link BareStream}, at the rate of {@link LatencyBench} and with its records: what of a
 * start's time is Kafka's on this machine. One thread.
 */
public final class BareLatency implements AutoCloseable {
    private static final String IN = BareStream.GROUP + "-in";

    private final AvroCodec codec;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final BareStream stream;
    private final Map<String, Long> sent = new HashMap<>();
    private final List<StartLatency> latencies = new ArrayList<>();
    private long records;

    /** Starts a stream with its state in {@code directory}. */
    public BareLatency(Connection connection, Path directory) {
        codec = new AvroCodec(new TopicNames(TopicNames.DEFAULT_PREFIX), connection.registry());
        codec.prepare(List.of(Topics.RM_JOBS));
        BareStream.makeTopic(connection, IN);
        stream = BareStream.start(connection, IN, directory, BareStream.SHORT_COMMIT_MS);
        producer = new KafkaProducer<>(connection.kafka(), new ByteArraySerializer(), new ByteArraySerializer());
        consumer = LatencyBench.committed(connection, BareStream.OUT);
    }

    /** Runs for {@code warmUp} without measuring, then for {@code measured}. */
    public LatencyReport run(int recordsPerSecond, Duration warmUp, Duration measured) {
        long began = System.nanoTime();
        long measureFrom = began + warmUp.toNanos();
        long end = measureFrom + measured.toNanos();
        long before = 0;
        boolean measuring = false;
        MachineUse.Meter meter = MachineUse.begin();
        for (long now = began; now < end; now = System.nanoTime()) {
            if (!measuring && now >= measureFrom) {
                measuring = true;
                latencies.clear();
                before = records;
                meter = MachineUse.begin();
            }
            while (records < (now - began) / 1e9 * recordsPerSecond) {
                send();
            }
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(1))) {
                @Nullable Long at = sent.remove(new String(record.key(), StandardCharsets.UTF_8));
                if (at != null) {
                    latencies.add(new StartLatency(at, System.nanoTime() - at));
                }
            }
        }
        return LatencyReport.of(records - before, meter.read(), measureFrom, latencies);
    }

    private void send() {
        String id = "j" + ++records;
        JobReport job = LatencyBench.job(id, records, JobState.IDLE, null, null, List.of(), 0);
        sent.put(id, System.nanoTime());
        var unused = producer.send(
                new ProducerRecord<>(IN, id.getBytes(StandardCharsets.UTF_8), codec.encode(Topics.RM_JOBS, job)));
    }

    @Override
    public void close() {
        stream.close();
        consumer.close();
        producer.close();
        codec.close();
    }
}
