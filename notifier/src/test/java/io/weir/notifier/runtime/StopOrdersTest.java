package io.weir.notifier.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.weir.notifier.runtime.handler.FiringReader;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.schemas.TriggerFiring;
import io.weir.service.Readiness;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopOrdersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String TOPIC = LoopFixture.NAMES.full(Topics.TRIGGER_FIRINGS);
    private static final TopicPartition P0 = new TopicPartition(TOPIC, 0);
    private static final TopicPartition P1 = new TopicPartition(TOPIC, 1);

    private final LoopFixture kafka = new LoopFixture();
    private final Readiness readiness = new Readiness();
    private final Readiness.Condition condition = readiness.declare("stop-orders");
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldTellOfAllOrdersFromThePositionOfWhatTheyMayEnd() throws Exception {
        MockConsumer<byte[], byte[]> consumer = consumer();
        try (StopOrders orders = orders(new ArrayDeque<>(List.of(consumer)))) {
            assertThat(orders.start(PATIENCE)).isTrue();
        }
        assertThat(told).containsExactlyInAnyOrder("tiny/7/1", "far/7/0");
    }

    /** One lane of the programs is behind another: an order that the other has seen is still to be heeded in it. */
    @Test
    void shouldReadFromThePositionOfTheLaneThatIsFurthestBehind() throws Exception {
        MockConsumer<byte[], byte[]> ahead = consumer(4);
        MockConsumer<byte[], byte[]> behind = consumer(1);
        try (StopOrders orders = new StopOrders(
                List.of(() -> ahead, () -> behind), TOPIC, new FiringReader(kafka.codec), told::add, condition)) {
            assertThat(orders.start(PATIENCE)).isTrue();
        }
        assertThat(told).containsExactlyInAnyOrder("tiny/7/1", "far/7/0");
        assertThat(behind.closed()).isTrue();
    }

    @Test
    void shouldReadAgainWhenReadingFails() throws Exception {
        MockConsumer<byte[], byte[]> broken = consumer();
        broken.setPollException(new KafkaException("away"));
        try (StopOrders orders = orders(new ArrayDeque<>(List.of(broken, consumer())))) {
            assertThat(orders.start(PATIENCE)).isTrue();
        }
        assertThat(told).contains("tiny/7/1", "far/7/0");
        assertThat(readiness.isReady()).isTrue();
    }

    @Test
    void shouldNotBeReadyWhileReadingFails() throws Exception {
        MockConsumer<byte[], byte[]> broken = consumer();
        broken.setPollException(new KafkaException("away"));
        try (StopOrders orders = orders(new ArrayDeque<>(List.of(broken, consumer())))) {
            orders.start(Duration.ofMillis(1));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() ->
                            assertThat(readiness.report().get("stop-orders")).contains("away"));
            await().atMost(Duration.ofSeconds(30)).until(readiness::isReady);
        }
    }

    private StopOrders orders(Queue<Consumer<byte[], byte[]>> consumers) {
        return new StopOrders(List.of(consumers::remove), TOPIC, new FiringReader(kafka.codec), told::add, condition);
    }

    /** On partition 0 an order that is done with, a program, rubbish and an order; on partition 1, without position, an order. */
    private MockConsumer<byte[], byte[]> consumer() {
        return consumer(1);
    }

    private MockConsumer<byte[], byte[]> consumer(long position) {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
            @Override
            public synchronized Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
                return Map.of(P0, new OffsetAndMetadata(position));
            }
        };
        Node node = new Node(0, "broker", 9092);
        Node[] nodes = {node};
        consumer.updatePartitions(
                TOPIC,
                List.of(
                        new PartitionInfo(TOPIC, 0, node, nodes, nodes),
                        new PartitionInfo(TOPIC, 1, node, nodes, nodes)));
        consumer.updateBeginningOffsets(Map.of(P0, 0L, P1, 0L));
        consumer.updateEndOffsets(Map.of(P0, 4L, P1, 1L));
        consumer.schedulePollTask(() -> {
            consumer.addRecord(LoopFixture.record(P0, 1, firing("exec", "/bin/true")));
            consumer.addRecord(LoopFixture.record(P0, 2, new byte[] {1, 2, 3}));
            consumer.addRecord(LoopFixture.record(P0, 3, firing("stop", "tiny/7/1")));
            consumer.addRecord(LoopFixture.record(P1, 0, firing("stop", "far/7/0")));
        });
        return consumer;
    }

    private byte[] firing(String type, String target) {
        return kafka.codec.encode(
                Topics.TRIGGER_FIRINGS,
                TriggerFiring.newBuilder()
                        .setCluster("tiny")
                        .setFiringId("tiny/7/0")
                        .setTriggerId("t1")
                        .setIteration(7)
                        .setTime(Instant.parse("2026-03-01T10:00:00Z"))
                        .setActionType(type)
                        .setAction(type)
                        .setTarget(target)
                        .setObjectType("job")
                        .setObjectId("j1")
                        .build());
    }
}
