package io.weir.notifier.runtime.loop;

import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import io.weir.service.Readiness;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A record loop without a broker: Kafka's own in-memory clients, a registry in this JVM and a clock that is moved by
 * hand. The group's position is what the committed transactions say.
 */
public final class LoopFixture implements AutoCloseable {

    public static final TopicNames NAMES = new TopicNames("test.");
    public static final String TOPIC = NAMES.full(Topics.NOTIFICATIONS);
    public static final TopicPartition P0 = new TopicPartition(TOPIC, 0);
    public static final TopicPartition P1 = new TopicPartition(TOPIC, 1);

    public final ManualClock clock = new ManualClock();
    public final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://" + UUID.randomUUID()));
    public final Readiness readiness = new Readiness();
    public final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    public final Map<TopicPartition, Long> committedElsewhere = new HashMap<>();

    /** How many markers of transactions lie behind the last record. */
    long markers;

    /** Positions that an operator has set. */
    final Map<TopicPartition, Long> setByHand = new HashMap<>();

    public final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none") {
        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
            onPositionAsked.run();
            Map<TopicPartition, OffsetAndMetadata> known = new HashMap<>(super.committed(partitions));
            LoopFixture.this
                    .position()
                    .forEach((partition, offset) -> known.put(partition, BeginningMark.reached(offset)));
            known.putAll(marked());
            setByHand.forEach((partition, offset) -> known.put(partition, new OffsetAndMetadata(offset)));
            known.keySet().retainAll(partitions);
            return known;
        }

        /** As the real one: markers behind the last record are passed over with it. */
        @Override
        public synchronized long position(TopicPartition partition) {
            return super.position(partition) + markers;
        }

        /** As the real one: a partition that was taken away is not paused. */
        @Override
        public synchronized Set<TopicPartition> paused() {
            Set<TopicPartition> paused = new HashSet<>(super.paused());
            paused.retainAll(assignment());
            return paused;
        }
    };

    /** Run when the group's positions are asked for, to fail. */
    Runnable onPositionAsked = () -> {};

    /** Told of every new producer before it is used, to break it. */
    Consumer<MockProducer<byte[], byte[]>> onNewProducer = producer -> {};

    private final Map<TopicPartition, Long> nextOffsets = new HashMap<>();

    public LoopFixture() {
        consumer.updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
        consumer.updateEndOffsets(Map.of(P0, 0L, P1, 0L));
    }

    /** Returns a loop around {@code handler} that is in its group and owns partition 0. */
    public RecordLoop assigned(RecordHandler handler) {
        RecordLoop loop = loop(FirstPosition.EARLIEST, codec, handler);
        consumer.rebalance(List.of(P0));
        return loop;
    }

    public RecordLoop loop(FirstPosition first, AvroCodec withCodec, RecordHandler handler) {
        return new RecordLoop(
                TOPIC,
                consumer,
                first,
                SettlementHistory.NONE,
                new SettlementLog(this::newProducer),
                NAMES,
                withCodec,
                handler,
                readiness.declare("loop"),
                clock);
    }

    /** Puts a notification at the end of partition 0. */
    public void add(String id) {
        add(P0, notification(id, "nodedown", Severity.ERROR));
    }

    public void add(TopicPartition partition, Notification notification) {
        add(partition, codec.encode(Topics.NOTIFICATIONS, notification));
    }

    public void add(TopicPartition partition, byte[] value) {
        long offset = nextOffsets.merge(partition, 1L, Long::sum) - 1;
        consumer.addRecord(record(partition, offset, value));
    }

    /** Adds what an administrator sent again: {@code channel} had given it up. */
    public void addAgain(String id, String channel) {
        long offset = nextOffsets.merge(P0, 1L, Long::sum) - 1;
        ConsumerRecord<byte[], byte[]> record =
                record(P0, offset, codec.encode(Topics.NOTIFICATIONS, notification(id, "nodedown", Severity.ERROR)));
        FactHeaders.REDRIVEN_FROM.put(record.headers(), "notifications-0@0");
        FactHeaders.CHANNEL.put(record.headers(), channel);
        consumer.addRecord(record);
    }

    public static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset, byte[] value) {
        return new ConsumerRecord<>(
                partition.topic(), partition.partition(), offset, new EntityKey("tiny", "key").toBytes(), value);
    }

    public static Notification notification(String id, String event, Severity severity) {
        return Notification.newBuilder()
                .setCluster("tiny")
                .setNotificationId(id)
                .setIteration(7)
                .setTime(Instant.parse("2026-03-01T09:59:00Z"))
                .setSeverity(severity)
                .setEvent(event)
                .setObjectType("node")
                .setObjectId("n1")
                .setSubject("n1 is down")
                .setText("n1 is down")
                .setRecipients(List.of())
                .build();
    }

    /** Steps {@code loop} until nothing is left that is due now. */
    public static void run(RecordLoop loop) throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            loop.step();
        }
    }

    /** Moves the clock second by second, as time would pass for a loop. */
    public void pass(Duration duration, RecordLoop loop) throws InterruptedException {
        for (long second = 0; second < duration.toSeconds(); second++) {
            clock.advance(Duration.ofSeconds(1));
            loop.step();
            loop.step();
        }
    }

    /** Returns the records of {@code topic} in committed transactions. */
    public <T extends SpecificRecord> List<T> written(Topic<T> topic) {
        return producers.stream()
                .flatMap(producer -> producer.history().stream())
                .filter(record -> record.topic().equals(NAMES.full(topic)))
                .map(record -> codec.decode(topic, record.value()))
                .toList();
    }

    public List<DeliveryResult> results() {
        return written(Topics.DELIVERY_RESULTS);
    }

    public List<DeadLetter> deadLetterFactory() {
        return written(Topics.DEAD_LETTERS);
    }

    /** Returns the group's position as committed. */
    public Map<TopicPartition, Long> position() {
        Map<TopicPartition, Long> position = new HashMap<>(committedElsewhere);
        producers.stream()
                .map(MockProducer::consumerGroupOffsetsHistory)
                .flatMap(Collection::stream)
                .flatMap(groups -> groups.values().stream())
                .forEach(offsets -> offsets.forEach((partition, offset) -> position.put(partition, offset.offset())));
        return position;
    }

    /** Returns the group's positions with what was written beside them. */
    private Map<TopicPartition, OffsetAndMetadata> marked() {
        Map<TopicPartition, OffsetAndMetadata> position = new HashMap<>();
        producers.stream()
                .map(MockProducer::consumerGroupOffsetsHistory)
                .flatMap(Collection::stream)
                .flatMap(groups -> groups.values().stream())
                .forEach(position::putAll);
        return position;
    }

    /** Returns how many transactions were committed. */
    public long transactions() {
        return producers.stream().mapToLong(MockProducer::commitCount).sum();
    }

    @Override
    public void close() {
        codec.close();
    }

    private MockProducer<byte[], byte[]> newProducer() {
        MockProducer<byte[], byte[]> producer = new MockProducer<>(
                true, new ClusterPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        onNewProducer.accept(producer);
        return producer;
    }
}
