package io.weir.scheduler.audit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics of a broker, read committed, without a group: nothing is left behind there. Every reader has a consumer of its
 * own, so that a place that cannot be read is told apart from a broker that is away. Thread-safe, but for its readers.
 */
public final class KafkaRecordLog implements RecordLog {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Bytes: a timestamp and a relative offset. */
    private static final int TIME_INDEX_ENTRY = 12;

    private final Map<String, Object> settings;
    private final Admin admin;
    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> beginnings = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> ends = new ConcurrentHashMap<>();
    private final Map<String, Segments> segments = new ConcurrentHashMap<>();

    /**
     * Connects.
     *
     * @param consumer properties of a consumer, {@code bootstrap.servers} at least
     */
    public KafkaRecordLog(Map<String, Object> consumer) {
        settings = new HashMap<>(consumer);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.CHECK_CRCS_CONFIG, true);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        admin = Admin.create(consumer);
    }

    @Override
    public int partitions(String topic) {
        return partitions.computeIfAbsent(topic, this::countPartitions);
    }

    private int countPartitions(String topic) {
        try {
            return get(admin.describeTopics(Set.of(topic)).topicNameValues().get(topic), "partitions of " + topic)
                    .partitions()
                    .size();
        } catch (UnknownTopicOrPartitionException e) {
            return 0;
        }
    }

    @Override
    public long beginning(TopicPartition partition) {
        return beginnings.computeIfAbsent(partition, key -> offset(key, OffsetSpec.earliest()));
    }

    @Override
    public long end(TopicPartition partition) {
        return ends.computeIfAbsent(partition, key -> offset(key, OffsetSpec.latest()));
    }

    private long offset(TopicPartition partition, OffsetSpec spec) {
        return get(
                        admin.listOffsets(
                                        Map.of(partition, spec), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                                .partitionResult(partition),
                        "offsets of " + partition)
                .offset();
    }

    @Override
    public boolean isDatedSince(TopicPartition partition, long timestamp) {
        return offset(partition, OffsetSpec.forTimestamp(timestamp)) >= 0;
    }

    @Override
    public void refresh(TopicPartition partition) {
        ends.remove(partition);
        end(partition);
    }

    @Override
    public Segments segments(String topic) {
        return segments.computeIfAbsent(topic, this::describe);
    }

    private Segments describe(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Config config =
                    get(admin.describeConfigs(Set.of(resource)).values().get(resource), "configuration of " + topic);
            return new Segments(
                    number(config, TopicConfig.SEGMENT_MS_CONFIG),
                    Math.min(number(config, TopicConfig.SEGMENT_BYTES_CONFIG), bytesUntilIndexIsFull(config)));
        } catch (AuthorizationException e) {
            // Without the right to ask, any segment may have been closed.
            return Segments.UNKNOWN;
        }
    }

    /** A segment is closed, too, when its index of times has no room for another entry. */
    private static long bytesUntilIndexIsFull(Config config) {
        long entries = number(config, TopicConfig.SEGMENT_INDEX_BYTES_CONFIG) / TIME_INDEX_ENTRY - 1;
        return entries * number(config, TopicConfig.INDEX_INTERVAL_BYTES_CONFIG);
    }

    private static <T> T get(@Nullable KafkaFuture<T> future, String what) {
        try {
            return Objects.requireNonNull(future, what).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        } catch (TimeoutException e) {
            throw new KafkaException(
                    "The broker did not give the " + what + " within " + PATIENCE.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException failure) {
                throw failure;
            }
            throw new KafkaException("Cannot get the " + what, e);
        }
    }

    private static long number(Config config, String key) {
        @Nullable ConfigEntry entry = config.get(key);
        return entry == null || entry.value() == null ? 0 : Long.parseLong(entry.value());
    }

    @Override
    public Reader read(TopicPartition partition, long offset) {
        return new PartitionReader(partition, offset);
    }

    @Override
    public void close() {
        admin.close();
    }

    private Consumer<byte[], byte[]> open() {
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private final class PartitionReader implements Reader {
        private final TopicPartition partition;
        private final Consumer<byte[], byte[]> consumer = open();
        private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();

        private PartitionReader(TopicPartition partition, long offset) {
            this.partition = partition;
            consumer.assign(Set.of(partition));
            consumer.seek(partition, offset);
        }

        @Override
        public @Nullable Entry next() {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (fetched.isEmpty()) {
                long position = consumer.position(partition);
                if (position >= end(partition)) {
                    return null;
                }
                try {
                    consumer.poll(POLL).forEach(fetched::add);
                } catch (KafkaException e) {
                    if (!isCorruption(e)) {
                        throw e;
                    }
                    return passOver(rootMessage(e));
                }
                if (consumer.position(partition) > position) {
                    deadline = System.nanoTime() + PATIENCE.toNanos();
                } else if (System.nanoTime() > deadline) {
                    throw new KafkaException("The broker gave nothing of " + partition + " from offset " + position
                            + " on for " + PATIENCE.toSeconds() + " s, though it ends at " + end(partition));
                }
            }
            // What lies behind the end is kept: the end may be looked at again.
            if (fetched.element().offset() >= end(partition)) {
                return null;
            }
            return new Found(fetched.remove());
        }

        /** Seeks past the batch that cannot be read: to the first offset from which reading goes on. */
        private Corrupt passOver(String message) {
            long from = consumer.position(partition);
            long to = from + 1;
            while (to < end(partition)) {
                consumer.seek(partition, to);
                try {
                    consumer.poll(POLL).forEach(fetched::add);
                    if (!fetched.isEmpty() || consumer.position(partition) > to) {
                        break;
                    }
                } catch (KafkaException e) {
                    if (!isCorruption(e)) {
                        throw e;
                    }
                    to++;
                }
            }
            if (to >= end(partition)) {
                consumer.seek(partition, to);
            }
            return new Corrupt(partition, from, to, message);
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    /** The consumer says it in words only, but for the error a broker answers with. */
    private static boolean isCorruption(KafkaException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (cause instanceof CorruptRecordException
                    || message.contains("corrupt")
                    || message.contains("seek past the record")) {
                return true;
            }
        }
        return false;
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
