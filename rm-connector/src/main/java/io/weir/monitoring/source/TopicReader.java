package io.weir.monitoring.source;

import io.weir.monitoring.format.Format;
import io.weir.service.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topics of others: the position moves on once the facts are written, so that nothing is lost; what is read again
 * after a crash is the same measurement again. A thread of its own.
 */
final class TopicReader implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(TopicReader.class);
    private static final Duration SLICE = Duration.ofMillis(200);
    private static final long PAUSE_MS = 2_000;

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final Map<String, Format> topics;
    private final MessageIntake intake;
    private final Readiness.Condition readiness;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this, "monitoring-topics");

    TopicReader(
            Map<String, Object> given,
            String group,
            Map<String, Format> topics,
            MessageIntake intake,
            Readiness.Condition readiness) {
        this(consumers(given, group), topics, intake, readiness);
    }

    /** A reader with a consumer of {@code consumers}, and a new one after each failure. */
    TopicReader(
            Supplier<Consumer<byte[], byte[]>> consumers,
            Map<String, Format> topics,
            MessageIntake intake,
            Readiness.Condition readiness) {
        this.consumers = consumers;
        this.topics = Map.copyOf(topics);
        this.intake = intake;
        this.readiness = readiness;
    }

    private static Supplier<Consumer<byte[], byte[]>> consumers(Map<String, Object> given, String group) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        settings.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return () -> new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (stopping.getCount() > 0) {
            try (Consumer<byte[], byte[]> consumer = consumers.get()) {
                consumer.subscribe(topics.keySet(), new FirstPositions(consumer));
                while (stopping.getCount() > 0) {
                    read(consumer);
                }
            } catch (InterruptedException | org.apache.kafka.common.errors.InterruptException e) {
                return;
            } catch (RuntimeException e) {
                // Whatever it is, a thread that ends here would end the reading without a word.
                readiness.unmet(e.toString());
                log.warn("reading or writing failed; it is tried again: {}", e.toString());
                if (paused()) {
                    return;
                }
            }
        }
    }

    /** Lets it finish what it has in hand, and waits for its end. */
    void stop() throws InterruptedException {
        stopping.countDown();
        thread.join(TimeUnit.SECONDS.toMillis(10));
        thread.interrupt();
        thread.join();
    }

    private void read(Consumer<byte[], byte[]> consumer) throws InterruptedException {
        boolean any = false;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(SLICE)) {
            Format format = topics.get(record.topic());
            if (record.value() != null && format != null) {
                intake.take(record.topic(), format, record.value(), sent(record));
            }
            any = true;
        }
        if (any) {
            consumer.commitSync();
        }
        readiness.met();
    }

    /** Of what waited, and of another partition, the later value is not the one that is read later. */
    private static Instant sent(ConsumerRecord<byte[], byte[]> record) {
        return record.timestamp() < 0 ? Instant.MAX : Instant.ofEpochMilli(record.timestamp());
    }

    /**
     * Where a partition is read for the first time is kept at once: what comes from there on is read, even if this one is
     * stopped before anything came.
     */
    private record FirstPositions(Consumer<byte[], byte[]> consumer) implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            Map<TopicPartition, OffsetAndMetadata> known = consumer.committed(Set.copyOf(partitions));
            Map<TopicPartition, OffsetAndMetadata> first = new HashMap<>();
            for (TopicPartition partition : partitions) {
                if (known.get(partition) == null) {
                    first.put(partition, new OffsetAndMetadata(consumer.position(partition)));
                }
            }
            if (!first.isEmpty()) {
                consumer.commitSync(first);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
    }

    private boolean paused() {
        try {
            return stopping.await(PAUSE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }
}
