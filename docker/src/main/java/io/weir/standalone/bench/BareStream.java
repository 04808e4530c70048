package io.weir.standalone.bench;

import io.weir.standalone.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A stream that decides nothing: each record of a topic goes to a store with a changelog and to another topic, exactly once.
 * What it takes is the price of Kafka Streams on this machine.
 */
public final class BareStream implements AutoCloseable {
    /** Its consumer group. */
    public static final String GROUP = "weir-bench-bare";

    /** Where the records go. */
    static final String OUT = GROUP + "-out";

    private static final String STORE = "last";
    /** So rarely that commits cost little beside what they carry, as the scheduler commits under load. */
    private static final int COMMIT_MS = 100;

    /** A commit interval with which records come out as soon as they can without costing more than they carry. */
    static final int SHORT_COMMIT_MS = 5;

    private static final int BATCH_BYTES = 256 << 10;

    private final KafkaStreams streams;
    private final AtomicReference<MachineUse.Meter> firstRecord;

    private BareStream(KafkaStreams streams, AtomicReference<MachineUse.Meter> firstRecord) {
        this.streams = streams;
        this.firstRecord = firstRecord;
    }

    /** Starts it on {@code topic}, whose full name that is, from the beginning, with its state in {@code directory}. */
    public static BareStream start(Connection connection, String topic, Path directory) {
        return start(connection, topic, directory, COMMIT_MS);
    }

    static BareStream start(Connection connection, String topic, Path directory, int commitMs) {
        makeTopic(connection, OUT);
        Properties settings = new Properties();
        settings.putAll(connection.kafka());
        settings.putAll(Map.of(
                StreamsConfig.APPLICATION_ID_CONFIG,
                GROUP,
                StreamsConfig.STATE_DIR_CONFIG,
                directory.toString(),
                StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
                StreamsConfig.EXACTLY_ONCE_V2,
                StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
                commitMs,
                StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG),
                "earliest",
                StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG),
                COMMIT_MS,
                StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG),
                BATCH_BYTES));
        AtomicReference<MachineUse.Meter> firstRecord = new AtomicReference<>();
        KafkaStreams streams = new KafkaStreams(topology(topic, firstRecord), settings);
        streams.start();
        return new BareStream(streams, firstRecord);
    }

    private static Topology topology(String topic, AtomicReference<MachineUse.Meter> firstRecord) {
        Topology topology = new Topology();
        topology.addSource("records", new ByteArrayDeserializer(), new ByteArrayDeserializer(), topic);
        topology.addProcessor("keep", () -> new Keep(firstRecord), "records");
        topology.addStateStore(
                Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.Bytes(), Serdes.ByteArray())
                        .withCachingEnabled(),
                "keep");
        topology.addSink("out", OUT, new ByteArraySerializer(), new ByteArraySerializer(), "keep");
        return topology;
    }

    /** Makes a topic of one partition, unless it is there. */
    static void makeTopic(Connection connection, String name) {
        try (Admin admin = Admin.create(connection.kafka())) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("Cannot make " + name, e.getCause());
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /**
     * Measures how fast it takes in the first {@code records} of its topic: from the first of them until all are committed. It
     * may take in a small topic with one commit.
     *
     * @throws IllegalStateException when that takes longer than {@code limit}
     */
    public Drain drain(GroupProgress progress, long records, Duration limit) {
        boolean all = progress.await(records, limit);
        MachineUse.Meter meter = firstRecord.get();
        if (!streams.state().isRunningOrRebalancing()) {
            throw new IllegalStateException("The stream has ended: " + streams.state());
        }
        if (!all || meter == null) {
            throw new IllegalStateException(GROUP + " took in " + progress.taken() + " records of " + records + " in "
                    + limit.toSeconds() + " s");
        }
        return new Drain(records, meter.read());
    }

    @Override
    public void close() {
        streams.close();
    }

    /** Keeps each record and passes it on. */
    private static final class Keep extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        private final AtomicReference<MachineUse.Meter> firstRecord;

        Keep(AtomicReference<MachineUse.Meter> firstRecord) {
            this.firstRecord = firstRecord;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            if (firstRecord.get() == null) {
                firstRecord.set(MachineUse.begin());
            }
            KeyValueStore<Bytes, byte[]> store = context().getStateStore(STORE);
            store.put(Bytes.wrap(record.key()), record.value());
            context().forward(record);
        }
    }
}
