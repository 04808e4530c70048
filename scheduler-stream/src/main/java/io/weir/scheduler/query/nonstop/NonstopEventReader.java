package io.weir.scheduler.query.nonstop;

import io.weir.scheduler.query.image.UnreadableCount;
import io.weir.schemas.NonstopEvent;
import io.weir.topics.AvroCodec;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the topic {@code nonstop-events}, committed records only, from a little before its end: who knows an event tells
 * it by its id. One thread; when the broker or the schema registry does not answer it tries again and goes on where it was. A
 * record that cannot be read is left out.
 */
public final class NonstopEventReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NonstopEventReader.class);

    /** How far before its end each partition is read first, records: what its followers remember. */
    static final long TAIL = NonstopEventLog.REMEMBERED;

    private static final Duration POLL = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 2_000;
    private static final long STOP_MILLIS = 2_000;

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final TopicNames names;
    private final AvroCodec codec;
    private final java.util.function.Consumer<NonstopEvent> told;
    private final Thread thread;
    private final UnreadableCount unreadable = new UnreadableCount();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What is being read, to be woken up; null between two attempts. */
    private final AtomicReference<@Nullable Consumer<byte[], byte[]>> current = new AtomicReference<>();

    /** Where reading goes on when it was interrupted; read by the thread alone. */
    private final Map<TopicPartition, Long> next = new HashMap<>();

    /**
     * Begins.
     *
     * @param consumer properties of a consumer
     * @param told is told of each event in order of its partition, and some more than once; must not block
     */
    public NonstopEventReader(
            Map<String, Object> consumer,
            TopicNames names,
            AvroCodec codec,
            java.util.function.Consumer<NonstopEvent> told) {
        this(
                () -> new KafkaConsumer<>(
                        consumerSettings(consumer), new ByteArrayDeserializer(), new ByteArrayDeserializer()),
                names,
                codec,
                told);
    }

    /** Begins, with a consumer of {@code consumers} for each attempt. */
    NonstopEventReader(
            Supplier<Consumer<byte[], byte[]>> consumers,
            TopicNames names,
            AvroCodec codec,
            java.util.function.Consumer<NonstopEvent> told) {
        this.consumers = consumers;
        this.names = names;
        this.codec = codec;
        this.told = told;
        thread = new Thread(this::follow, "nonstop-events");
        thread.setDaemon(true);
        thread.start();
    }

    private static Map<String, Object> consumerSettings(Map<String, Object> given) {
        Map<String, Object> settings = new HashMap<>(given);
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "latest");
        return settings;
    }

    private void follow() {
        while (!isClosed()) {
            try (Consumer<byte[], byte[]> source = consumers.get()) {
                current.set(source);
                Set<TopicPartition> all = begin(source);
                // Where partitions were added, a cluster may have moved to one of them.
                while (!isClosed() && all.containsAll(partitions(source))) {
                    source.poll(POLL).forEach(this::tell);
                }
            } catch (WakeupException e) {
                log.debug("Closed", e);
            } catch (RuntimeException e) {
                log.warn("The events of jobs' nodes cannot be followed, trying again: {}", e.toString());
            }
            current.set(null);
            pause();
        }
    }

    private Set<TopicPartition> begin(Consumer<byte[], byte[]> source) {
        Set<TopicPartition> partitions = partitions(source);
        source.assign(partitions);
        Map<TopicPartition, Long> first = source.beginningOffsets(partitions);
        source.endOffsets(partitions).forEach((partition, end) -> {
            long begin = next.computeIfAbsent(partition, unread -> Math.max(0, end - TAIL));
            source.seek(partition, Math.max(first.getOrDefault(partition, 0L), begin));
        });
        return partitions;
    }

    private Set<TopicPartition> partitions(Consumer<byte[], byte[]> source) {
        Set<TopicPartition> partitions = new HashSet<>();
        for (PartitionInfo partition : source.partitionsFor(names.full(Topics.NONSTOP_EVENTS))) {
            partitions.add(new TopicPartition(partition.topic(), partition.partition()));
        }
        return partitions;
    }

    private void tell(ConsumerRecord<byte[], byte[]> record) {
        Optional<NonstopEvent> event = decoded(record);
        next.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
        event.ifPresent(told);
    }

    /**
     * Returns the event of a record; empty for one that will never be read.
     *
     * @throws RegistryUnavailableException when it has to be read later
     */
    private Optional<NonstopEvent> decoded(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(codec.decode(Topics.NONSTOP_EVENTS, record.value()));
        } catch (PoisonRecordException e) {
            unreadable
                    .next(record.topic())
                    .ifPresent(number -> log.warn(
                            "Left out: {}-{}@{}, number {} of this topic: {}",
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            number,
                            e.toString()));
            return Optional.empty();
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Waits before the next attempt, unless this is closed. */
    private void pause() {
        try {
            if (closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                log.debug("Closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed.countDown();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Consumer<byte[], byte[]> source = current.get();
        if (source != null) {
            source.wakeup();
        }
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
