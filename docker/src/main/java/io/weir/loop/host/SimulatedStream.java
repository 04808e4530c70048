package io.weir.loop.host;

import io.weir.loop.log.SimulatedLog;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.scheduler.stream.HeldPositions;
import io.weir.topics.RecordSize;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A stream with one thread, under exactly-once. State is restored from the changelogs at every start; a failure of any
 * kind aborts the transaction and starts the stream anew, as the scheduler does. {@link #run} ends with its process.
 */
public final class SimulatedStream {
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
    private static final int UNIT_MICROS = 400;
    private static final int SESSION_MILLIS = 6_000;
    private static final int TRANSACTION_MILLIS = 10_000;
    private static final int MOST_RECORDS = 50;
    private static final long COMMIT_MICROS = 100_000;
    private static final long LONGEST_WAIT_MILLIS = 1_000;
    private static final int MAX_REQUEST_BYTES = RecordSize.LARGEST;

    private final SimulatedLog log;
    private final Turns turns;
    private final SimulatedProcess process;
    private final StreamShape shape;
    private final String instance;
    private final StreamFaults faults;
    private final Consumer<RuntimeException> failures;

    /** Creates a stream; {@code failures} is told why it started again. */
    public SimulatedStream(
            SimulatedLog log,
            Turns turns,
            SimulatedProcess process,
            StreamShape shape,
            String instance,
            StreamFaults faults,
            Consumer<RuntimeException> failures) {
        this.log = log;
        this.turns = turns;
        this.process = process;
        this.shape = shape;
        this.instance = instance;
        this.faults = faults;
        this.failures = failures;
    }

    /** Runs until its process is killed. */
    public void run() {
        while (true) {
            try (Start start = new Start()) {
                start.run();
            } catch (RuntimeException e) {
                failures.accept(e);
            }
            turns.sleep(PAUSE_AFTER_FAILURE);
        }
    }

    /** One start of the stream. */
    private final class Start implements ConsumerRebalanceListener, AutoCloseable {
        private final ProcessorSupplier<byte[], byte[], byte[], byte[]> processors =
                shape.processors().get();
        private final Producer<byte[], byte[]> producer = log.producer(
                process,
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        shape.application() + "-" + instance,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        TRANSACTION_MILLIS,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        MAX_REQUEST_BYTES));
        private final @Nullable Producer<byte[], byte[]> apart = faults.outputsApart()
                ? log.producer(process, Map.of(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES))
                : null;
        private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer = log.consumer(
                process,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        shape.application(),
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        instance,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "none",
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        SESSION_MILLIS,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        MOST_RECORDS));
        private final TreeMap<Integer, StreamTask> tasks = new TreeMap<>();
        private boolean inTransaction;
        private @Nullable Exception sendFailure;
        private long nextCommit;

        void run() {
            producer.initTransactions();
            consumer.subscribe(shape.inputs(), this);
            while (true) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(untilDue());
                shape.read().accept(records);
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    StreamTask task = tasks.get(record.partition());
                    if (task != null) {
                        task.add(faults.inputs().apply(record));
                    }
                }
                boolean more = !tasks.isEmpty();
                while (more) {
                    more = false;
                    for (StreamTask task : tasks.values()) {
                        turns.work(UNIT_MICROS);
                        more |= task.process(turns.random());
                        task.context().punctuate();
                    }
                    commitIfDue();
                }
            }
        }

        private Duration untilDue() {
            long wait = LONGEST_WAIT_MILLIS;
            for (StreamTask task : tasks.values()) {
                wait = Math.min(wait, task.context().millisToPunctuation());
            }
            return Duration.ofMillis(wait);
        }

        private void commitIfDue() {
            boolean requested = false;
            for (StreamTask task : tasks.values()) {
                requested |= task.context().takeCommitRequested();
            }
            if (requested || turns.now() >= nextCommit) {
                commit();
            }
        }

        private void commit() {
            nextCommit = turns.now() + COMMIT_MICROS;
            boolean processed = false;
            Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
            for (Map.Entry<Integer, StreamTask> task : tasks.entrySet()) {
                processed |= task.getValue().takeProcessed();
                positions.putAll(task.getValue().positions());
                SimulatedStores stores = task.getValue().stores();
                stores.flushCaches();
                stores.forEach((name, store) -> store.drain((key, value) -> send(
                        producer,
                        new ProducerRecord<>(
                                StreamShape.changelog(shape.application(), name), task.getKey(), key, value))));
            }
            if (inTransaction || (processed && !positions.isEmpty())) {
                // Changelogs are at the broker before positions are pending: whoever waits for these will find those.
                producer.flush();
                begin();
                Map<TopicPartition, OffsetAndMetadata> held = HeldPositions.orHeld(positions, consumer);
                if (!held.isEmpty()) {
                    producer.sendOffsetsToTransaction(held, consumer.groupMetadata());
                }
            }
            if (inTransaction) {
                producer.commitTransaction();
                inTransaction = false;
            }
            if (apart != null) {
                apart.flush();
            }
            check();
        }

        private void begin() {
            if (!inTransaction) {
                producer.beginTransaction();
                inTransaction = true;
            }
        }

        private void forward(Record<byte[], byte[]> record, String child) {
            String topic = shape.outputs().get(child);
            if (topic == null) {
                throw new IllegalArgumentException("There is no child '" + child + "'");
            }
            if (faults.bug().test(record)) {
                throw new IllegalStateException("A fault that was planted");
            }
            int partition = shape.partitioner().partition(record.key(), log.partitions(topic));
            send(
                    apart == null ? producer : apart,
                    new ProducerRecord<>(
                            topic, partition, record.timestamp(), record.key(), record.value(), record.headers()));
        }

        private void send(Producer<byte[], byte[]> to, ProducerRecord<byte[], byte[]> record) {
            check();
            if (to == producer) {
                begin();
            }
            var unused = to.send(record, (written, failure) -> {
                if (failure != null) {
                    sendFailure = failure;
                }
            });
        }

        private void check() {
            if (sendFailure != null) {
                throw new KafkaException("A record could not be written", sendFailure);
            }
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.stream()
                    .map(TopicPartition::partition)
                    .sorted()
                    .distinct()
                    .forEach(partition -> {
                        if (!tasks.containsKey(partition)) {
                            StreamTask task = task(partition);
                            task.init();
                            tasks.put(partition, task);
                        }
                    });
            partitions.forEach(consumer::position);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (sendFailure == null && !tasks.isEmpty()) {
                commit();
            }
            onPartitionsLost(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            partitions.forEach(partition -> {
                StreamTask task = tasks.remove(partition.partition());
                if (task != null) {
                    task.close();
                }
            });
        }

        private StreamTask task(int partition) {
            SimulatedStores stores = new SimulatedStores(
                    processors.stores().stream().map(StoreBuilder::name).toList());
            stores.forEach((name, store) ->
                    restore(new TopicPartition(StreamShape.changelog(shape.application(), name), partition), store));
            TaskContext context =
                    new TaskContext(shape.application(), new TaskId(0, partition), process, stores, this::forward);
            return new StreamTask(processors.get(), context, stores, shape.timestamps());
        }

        /** Reads the changelog up to its end, which may have to wait for a transaction of another to end. */
        private void restore(TopicPartition changelog, SimulatedStore store) {
            Map<String, Object> uncommitted = Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
            long end;
            try (var ends = log.consumer(process, uncommitted)) {
                end = ends.endOffsets(List.of(changelog)).getOrDefault(changelog, 0L);
            }
            try (var reader = log.consumer(
                    process,
                    Map.of(
                            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                            "read_committed",
                            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                            "earliest"))) {
                reader.assign(List.of(changelog));
                while (reader.position(changelog) < end) {
                    reader.poll(Duration.ofMillis(LONGEST_WAIT_MILLIS))
                            .forEach(record -> store.restore(record.key(), record.value()));
                }
            }
        }

        /** Leaves the transaction to be aborted; the membership is kept for the next start. */
        @Override
        public void close() {
            if (!process.isAlive()) {
                return;
            }
            tasks.clear();
            producer.close(Duration.ZERO);
            if (apart != null) {
                apart.close(Duration.ZERO);
            }
        }
    }
}
