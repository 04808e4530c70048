package io.weir.notifier.runtime;

import io.weir.notifier.runtime.handler.DeadLetterFactory;
import io.weir.notifier.runtime.handler.DeliveryHandler;
import io.weir.notifier.runtime.handler.FiringReader;
import io.weir.notifier.runtime.handler.FiringTypes;
import io.weir.notifier.runtime.handler.NotificationReader;
import io.weir.notifier.runtime.handler.UnusableRecordException;
import io.weir.notifier.runtime.loop.SettlementHistory;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Notification;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads from the topics of outcomes how far a reader has come. Records of a partition are settled in order, so the last
 * one with an outcome tells; what was passed over behind it is passed over again. Reads whole topics, and is asked only
 * when a position is missing, behind the end of its topic, or set by hand.
 */
final class WrittenOutcomes {
    private static final Duration SLICE = Duration.ofMillis(200);

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final TopicNames names;
    private final AvroCodec codec;

    /** Opens a consumer without a group, of committed records, for each question. */
    WrittenOutcomes(Supplier<Consumer<byte[], byte[]>> consumers, TopicNames names, AvroCodec codec) {
        this.consumers = consumers;
        this.names = names;
        this.codec = codec;
    }

    /** Returns the history of a channel: the results of its deliveries. A notification is not keyed by its id, and has to be read. */
    SettlementHistory ofChannel(String channel, NotificationReader reader) {
        return partitions -> {
            try (var consumer = consumers.get()) {
                LatestKeys settled = new LatestKeys();
                each(consumer, Topics.DELIVERY_RESULTS, result -> {
                    if (result.getChannel().equals(channel)) {
                        settled.add(new EntityKey(result.getCluster(), result.getDeliveryId()));
                    }
                });
                return settled.isEmpty()
                        ? Map.of()
                        : behind(settled, record -> identified(reader, record), consumer, partitions);
            }
        };
    }

    /** Returns the history of a reader of firings: its answers. A firing is not keyed by its id, and has to be read. */
    SettlementHistory ofFirings(FiringTypes types, FiringReader reader) {
        return partitions -> {
            try (var consumer = consumers.get()) {
                LatestKeys settled = new LatestKeys();
                each(consumer, Topics.DELIVERY_RESULTS, result -> {
                    String trigger = result.getTriggerId();
                    if (result.getChannel().equals(types.channel()) && trigger != null && types.isInLane(trigger)) {
                        settled.add(new EntityKey(result.getCluster(), result.getDeliveryId()));
                    }
                });
                return settled.isEmpty()
                        ? Map.of()
                        : behind(settled, record -> identified(reader, record), consumer, partitions);
            }
        };
    }

    /** Returns the history of a peer: none. Charges that come again are recognised by whom they are handed to. */
    SettlementHistory ofCharges() {
        return partitions -> Map.of();
    }

    /** Returns the history of the reader that sees to unusable records: its dead letters. */
    SettlementHistory ofIntake() {
        return partitions -> {
            Map<TopicPartition, Long> positions = new HashMap<>();
            try (var consumer = consumers.get()) {
                each(consumer, Topics.DEAD_LETTERS, letter -> {
                    TopicPartition origin = origin(letter);
                    boolean own = letter.getService().equals(DeadLetterFactory.SERVICE)
                            && !letter.getCause().equals(DeliveryHandler.UNDELIVERED);
                    if (own && partitions.contains(origin)) {
                        positions.merge(origin, letter.getOffset() + 1, Math::max);
                    }
                });
            }
            return positions;
        };
    }

    private TopicPartition origin(DeadLetter letter) {
        String topic = letter.getTopic().equals(Topics.NOTIFICATIONS.name())
                ? names.full(Topics.NOTIFICATIONS)
                : letter.getTopic();
        return new TopicPartition(topic, letter.getPartition());
    }

    /**
     * Finds the last delivery that is settled. Those that brokers lost with the topic's end are not found; where all have expired,
     * so has all that came before them. One that was sent again from the dead letters was settled once before that.
     */
    private static Map<TopicPartition, Long> behind(
            LatestKeys settled,
            Function<ConsumerRecord<byte[], byte[]>, Optional<EntityKey>> identify,
            Consumer<byte[], byte[]> consumer,
            Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> positions = new HashMap<>(consumer.beginningOffsets(partitions));
        Map<EntityKey, Integer> sentAgain = new HashMap<>();
        for (TopicPartition partition : partitions) {
            read(consumer, partition, record -> {
                boolean again = FactHeaders.REDRIVEN_FROM.get(record.headers()).isPresent();
                if (identify.apply(record)
                        .filter(key -> settled.times(key) > (again ? sentAgain.merge(key, 1, Integer::sum) : 0))
                        .isPresent()) {
                    positions.put(partition, record.offset() + 1);
                }
            });
        }
        return positions;
    }

    private static Optional<EntityKey> identified(NotificationReader reader, ConsumerRecord<byte[], byte[]> record) {
        try {
            Notification notification = reader.read(record);
            return Optional.of(new EntityKey(notification.getCluster(), notification.getNotificationId()));
        } catch (UnusableRecordException e) {
            return Optional.empty();
        }
    }

    private static Optional<EntityKey> identified(FiringReader reader, ConsumerRecord<byte[], byte[]> record) {
        try {
            TriggerFiring firing = reader.read(record);
            return Optional.of(new EntityKey(firing.getCluster(), firing.getFiringId()));
        } catch (UnusableRecordException e) {
            return Optional.empty();
        }
    }

    private <T extends SpecificRecord> void each(
            Consumer<byte[], byte[]> consumer, Topic<T> topic, java.util.function.Consumer<T> found) {
        for (PartitionInfo info : consumer.partitionsFor(names.full(topic))) {
            read(
                    consumer,
                    new TopicPartition(info.topic(), info.partition()),
                    record -> decode(topic, record).ifPresent(found));
        }
    }

    private <T extends SpecificRecord> Optional<T> decode(Topic<T> topic, ConsumerRecord<byte[], byte[]> record) {
        try {
            return record.value() == null ? Optional.empty() : Optional.of(codec.decode(topic, record.value()));
        } catch (PoisonRecordException e) {
            return Optional.empty(); // nothing that a notifier wrote
        }
    }

    private static void read(
            Consumer<byte[], byte[]> consumer,
            TopicPartition partition,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        List<TopicPartition> alone = List.of(partition);
        consumer.assign(alone);
        consumer.seekToBeginning(alone);
        long end = consumer.endOffsets(alone).getOrDefault(partition, 0L);
        while (consumer.position(partition) < end) {
            consumer.poll(SLICE).records(partition).forEach(reader);
        }
    }
}
