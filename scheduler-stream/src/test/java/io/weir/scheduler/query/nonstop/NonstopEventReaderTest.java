package io.weir.scheduler.query.nonstop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.schemas.NonstopEvent;
import io.weir.schemas.NonstopEventKind;
import io.weir.topics.AvroCodec;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Which events are read at the start, and after the broker was away. */
@NullUnmarked
class NonstopEventReaderTest {
    private static final TopicNames NAMES = new TopicNames("weir.");
    private static final String TOPIC = NAMES.full(Topics.NONSTOP_EVENTS);
    private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://nonstop"));
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** A consumer of a log with records 0 to {@code end}, of which those at {@code offsets} are there to be read. */
    private MockConsumer<byte[], byte[]> log(long end, long... offsets) {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("latest");
        consumer.updatePartitions(TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, null, null)));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, end));
        consumer.schedulePollTask(() -> {
            for (long offset : offsets) {
                consumer.addRecord(new ConsumerRecord<>(
                        TOPIC, 0, offset, null, codec.encode(Topics.NONSTOP_EVENTS, event(offset))));
            }
        });
        return consumer;
    }

    private static NonstopEvent event(long number) {
        return NonstopEvent.newBuilder()
                .setCluster("c")
                .setEventId("c/" + number + "/0")
                .setJobId("17")
                .setIteration(number)
                .setTime(Instant.EPOCH)
                .setKind(NonstopEventKind.NODE_FAILED)
                .setBalance(0)
                .build();
    }

    private NonstopEventReader reader(List<Consumer<byte[], byte[]>> attempts) {
        Queue<Consumer<byte[], byte[]>> left = new ConcurrentLinkedQueue<>(attempts);
        return new NonstopEventReader(left::remove, NAMES, codec, event -> told.add(event.getEventId()));
    }

    @Test
    void shouldBeginAsFarBackAsItsFollowersRemember() {
        long end = 3 * NonstopEventReader.TAIL;
        long first = end - NonstopEventReader.TAIL;
        try (NonstopEventReader reader = reader(List.of(log(end, first - 1, first, end - 1)))) {
            await().atMost(PATIENCE).until(() -> told.size() >= 2);
            assertThat(told).containsExactly("c/" + first + "/0", "c/" + (end - 1) + "/0");
            assertThat(reader).isNotNull();
        }
    }

    @Test
    void shouldGoOnWhereItWasHoweverMuchHappenedMeanwhile() {
        MockConsumer<byte[], byte[]> before = log(2, 0, 1);
        before.schedulePollTask(() -> before.setPollException(new KafkaException("the broker is away")));
        try (NonstopEventReader reader = reader(List.of(before, log(2 + 5 * NonstopEventReader.TAIL, 2, 3)))) {
            await().atMost(PATIENCE).until(() -> told.size() >= 4);
            assertThat(told).containsExactly("c/0/0", "c/1/0", "c/2/0", "c/3/0");
            assertThat(reader).isNotNull();
        }
    }

    /** The registry is asked when an event by a schema is met that this process has not read before. */
    @Test
    void shouldTellTheEventThatTheRegistryWasAwayForWhenItIsBack() {
        AwayOnce registry = new AwayOnce();
        Queue<Consumer<byte[], byte[]>> attempts = new ConcurrentLinkedQueue<>(List.of(log(2, 0, 1), log(2, 0, 1)));
        try (NonstopEventReader reader = new NonstopEventReader(
                attempts::remove, NAMES, registry.codec("nonstop"), event -> told.add(event.getEventId()))) {
            await().atMost(PATIENCE).until(() -> told.size() >= 2);
            assertThat(told).containsExactly("c/0/0", "c/1/0");
            assertThat(registry.refused()).isOne();
            assertThat(reader).isNotNull();
        }
    }

    /** A cluster may be on one of them now. */
    @Test
    void shouldReadPartitionsThatAreAdded() {
        List<PartitionInfo> two =
                List.of(new PartitionInfo(TOPIC, 0, null, null, null), new PartitionInfo(TOPIC, 1, null, null, null));
        TopicPartition added = new TopicPartition(TOPIC, 1);
        MockConsumer<byte[], byte[]> before = log(1, 0);
        before.schedulePollTask(() -> before.updatePartitions(TOPIC, two));
        MockConsumer<byte[], byte[]> after = log(1);
        after.updatePartitions(TOPIC, two);
        after.updateBeginningOffsets(Map.of(added, 0L));
        after.updateEndOffsets(Map.of(added, 1L));
        after.schedulePollTask(() -> after.addRecord(
                new ConsumerRecord<>(TOPIC, 1, 0, null, codec.encode(Topics.NONSTOP_EVENTS, event(7)))));
        try (NonstopEventReader reader = reader(List.of(before, after))) {
            await().atMost(PATIENCE).until(() -> told.size() >= 2);
            assertThat(told).containsExactly("c/0/0", "c/7/0");
            assertThat(reader).isNotNull();
        }
    }
}
