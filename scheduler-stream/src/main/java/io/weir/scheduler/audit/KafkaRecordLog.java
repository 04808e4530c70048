package io.weir.scheduler.audit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Topics of a broker, read committed, without a group: nothing is left behind there. Every reader has a consumer of its
 * own, so that a place that cannot be read is told apart from a broker that is away. One thread.
 */
public final class KafkaRecordLog implements RecordLog {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, Object> settings;
    private final Consumer<byte[], byte[]> metadata;
    private final Map<String, List<PartitionInfo>> topics;
    private final Map<TopicPartition, Long> beginnings = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    private final Map<String, Segments> segments = new HashMap<>();

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
        metadata = open();
        topics = metadata.listTopics(PATIENCE);
    }

    @Override
    public int partitions(String topic) {
        return topics.getOrDefault(topic, List.of()).size();
    }

    @Override
    public long beginning(TopicPartition partition) {
        return beginnings.computeIfAbsent(
                partition,
                key -> metadata.beginningOffsets(Set.of(key), PATIENCE).get(key));
    }

    @Override
    public long end(TopicPartition partition) {
        return ends.computeIfAbsent(
                partition, key -> metadata.endOffsets(Set.of(key), PATIENCE).get(key));
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
        try (Admin admin = Admin.create(settings)) {
            Config config = admin.describeConfigs(Set.of(resource))
                    .all()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .get(resource);
            return config == null
                    ? Segments.UNKNOWN
                    : new Segments(
                            number(config, TopicConfig.SEGMENT_MS_CONFIG),
                            number(config, TopicConfig.SEGMENT_BYTES_CONFIG));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        } catch (ExecutionException | TimeoutException e) {
            // Without the right to ask, any segment may have been closed.
            return Segments.UNKNOWN;
        }
    }

    private static long number(Config config, String key) {
        @Nullable ConfigEntry entry = config.get(key);
        return entry == null || entry.value() == null ? 0 : Long.parseLong(entry.value());
    }

    @Override
    public Reader read(TopicPartition partition) {
        return new PartitionReader(partition);
    }

    @Override
    public void close() {
        metadata.close();
    }

    private Consumer<byte[], byte[]> open() {
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private final class PartitionReader implements Reader {
        private final TopicPartition partition;
        private final Consumer<byte[], byte[]> consumer = open();
        private final Deque<ConsumerRecord<byte[], byte[]>> fetched = new ArrayDeque<>();

        private PartitionReader(TopicPartition partition) {
            this.partition = partition;
            consumer.assign(Set.of(partition));
            consumer.seek(partition, beginning(partition));
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
            ConsumerRecord<byte[], byte[]> record = fetched.remove();
            return record.offset() < end(partition) ? new Found(record) : null;
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
