package io.weir.standalone.registry;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compacted topic behind a {@link SchemaCatalogue}. Writers share one transactional id: who initialises it last
 * fences the others, so a writer that was not fenced knows that it decided on the newest state. One call at a time.
 */
final class RegistryLog implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegistryLog.class);
    private static final int ATTEMPTS = 5;
    private static final Duration POLL = Duration.ofMillis(50);

    private final Map<String, Object> clients;
    private final TopicPartition partition;
    private final SchemaCatalogue catalogue;
    private final KafkaConsumer<String, String> consumer;
    private @Nullable KafkaProducer<String, String> producer;

    RegistryLog(Map<String, Object> clients, String topic, SchemaCatalogue catalogue) {
        this.clients = new HashMap<>(clients);
        this.clients.putIfAbsent("default.api.timeout.ms", 15_000);
        this.clients.putIfAbsent("request.timeout.ms", 10_000);
        this.partition = new TopicPartition(topic, 0);
        this.catalogue = catalogue;
        createTopic();
        Map<String, Object> settings = new HashMap<>(this.clients);
        settings.put("isolation.level", "read_committed");
        this.consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        catchUp();
    }

    /** Reads everything that is committed by now into the catalogue. */
    synchronized void catchUp() {
        readTo(consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L));
    }

    private void readTo(long end) {
        long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException("Could not read " + partition + " up to offset " + end + " within 15 s");
            }
            consumer.poll(POLL).forEach(this::replay);
        }
    }

    /** Writes what {@code decide} returns; it is asked on the newest state and may find that nothing is to be done. */
    synchronized void update(Supplier<Optional<RegistryEntry>> decide) {
        for (int attempt = 1; ; attempt++) {
            try {
                KafkaProducer<String, String> writer = ownership();
                Optional<RegistryEntry> entry = decide.get();
                if (entry.isPresent()) {
                    // Committed is not yet readable: the transaction's marker follows.
                    readTo(append(writer, entry.get()) + 1);
                }
                return;
            } catch (ProducerFencedException | InvalidProducerEpochException e) {
                disown();
                log.info("Another registry wrote to {}, reading on", partition.topic());
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            } catch (KafkaException e) {
                disown();
                throw e;
            }
        }
    }

    private KafkaProducer<String, String> ownership() {
        KafkaProducer<String, String> writer = producer;
        if (writer == null) {
            Map<String, Object> settings = new HashMap<>(clients);
            settings.put("transactional.id", "registry-" + partition.topic());
            settings.put("max.block.ms", 15_000);
            settings.put("delivery.timeout.ms", 15_000);
            settings.put("transaction.timeout.ms", 10_000);
            settings.put("linger.ms", 0);
            writer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
            producer = writer;
            writer.initTransactions();
            catchUp();
        }
        return writer;
    }

    /** Returns the offset written. */
    private long append(KafkaProducer<String, String> writer, RegistryEntry entry) {
        AtomicLong offset = new AtomicLong(-1);
        writer.beginTransaction();
        Future<RecordMetadata> unused = writer.send(
                new ProducerRecord<>(partition.topic(), partition.partition(), entry.key(), entry.value()),
                (written, failure) -> offset.set(failure == null ? written.offset() : -1));
        writer.commitTransaction();
        return offset.get();
    }

    private void disown() {
        KafkaProducer<String, String> writer = producer;
        producer = null;
        if (writer != null) {
            writer.close(Duration.ZERO);
        }
    }

    private void replay(ConsumerRecord<String, String> entry) {
        try {
            RegistryEntry.replay(entry.key(), entry.value(), catalogue);
        } catch (IOException | RuntimeException e) {
            log.warn("Passed over what cannot be read at {}-{}", partition, entry.offset(), e);
        }
    }

    private void createTopic() {
        NewTopic topic = new NewTopic(partition.topic(), Optional.of(1), Optional.empty())
                .configs(Map.of("cleanup.policy", "compact"));
        try (Admin admin = Admin.create(clients)) {
            if (!admin.listTopics().names().get().contains(partition.topic())) {
                admin.createTopics(List.of(topic)).all().get();
            }
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("Cannot create topic " + partition.topic(), e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("Interrupted while creating topic " + partition.topic(), e);
        }
    }

    @Override
    public synchronized void close() {
        KafkaProducer<String, String> writer = producer;
        producer = null;
        if (writer != null) {
            writer.close(Duration.ofSeconds(2));
        }
        consumer.close();
    }
}
