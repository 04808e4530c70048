package io.weir.rm.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What anybody with the right to write to the heartbeats may put there, read by a connector. */
class KafkaCommandFeedTest {
    static {
        AvroTrust.install();
    }

    private static final TopicNames NAMES = new TopicNames("weir.");
    private static final TopicPartition HEARTBEATS = new TopicPartition(NAMES.full(Topics.RM_HEARTBEATS), 0);

    private final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://feed"));
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final KafkaCommandFeed feed =
            new KafkaCommandFeed(consumer, admin(), codec, NAMES, "c1", "rm", null, false, System::nanoTime);
    private long offset;

    KafkaCommandFeedTest() {
        Node[] none = {};
        consumer.updatePartitions(
                HEARTBEATS.topic(), List.of(new PartitionInfo(HEARTBEATS.topic(), 0, Node.noNode(), none, none)));
        consumer.assign(List.of(HEARTBEATS));
        consumer.updateBeginningOffsets(Map.of(HEARTBEATS, 0L));
    }

    @AfterEach
    void close() {
        codec.close();
    }

    @Test
    void shouldBeReplacedByAHelloOfItsName() {
        add(codec.encode(Topics.RM_HEARTBEATS, heartbeat(HeartbeatKind.HELLO, "rm")), headers -> {});

        assertThat(feed.poll(Duration.ZERO)).containsExactly(new Incoming.HelloSeen(0));
    }

    @Test
    void shouldNotBeReplacedByWhatIsNoHello() {
        add("garbage".getBytes(StandardCharsets.UTF_8), headers -> {});
        add(null, headers -> {});
        add(codec.encode(Topics.RM_HEARTBEATS, heartbeat(HeartbeatKind.HEARTBEAT, "rm")), headers -> {});
        add(codec.encode(Topics.RM_HEARTBEATS, heartbeat(HeartbeatKind.HELLO, "other")), headers -> {});
        add(
                codec.encode(Topics.RM_HEARTBEATS, heartbeat(HeartbeatKind.HELLO, "rm")),
                headers -> headers.add(FactHeaders.EPOCH.name(), "x".getBytes(StandardCharsets.UTF_8)));

        assertThat(feed.poll(Duration.ZERO)).isEmpty();
    }

    private void add(byte @Nullable [] value, Consumer<Headers> more) {
        Headers headers = new RecordHeaders();
        FactHeaders.CONNECTOR.put(headers, "rm");
        more.accept(headers);
        consumer.addRecord(new ConsumerRecord<>(
                HEARTBEATS.topic(),
                0,
                offset++,
                0L,
                TimestampType.CREATE_TIME,
                0,
                0,
                new EntityKey("c1", "rm").toBytes(),
                value,
                headers,
                Optional.empty()));
    }

    private static Heartbeat heartbeat(HeartbeatKind kind, String connector) {
        return Heartbeat.newBuilder()
                .setCluster("c1")
                .setConnector(connector)
                .setKind(kind)
                .setNumber(0)
                .setRmTime(Instant.EPOCH)
                .build();
    }

    /** The broker would check its right to every topic of which the scheduler has a position, and log what it refuses. */
    @Test
    void shouldAskForThePositionAmongTheHeartbeatsOnly() {
        List<Object> asked = new ArrayList<>();
        Admin admin = (Admin) Proxy.newProxyInstance(
                KafkaCommandFeedTest.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                    asked.add(arguments[0]);
                    throw new KafkaException("away");
                });

        assertThat(new KafkaCommandFeed(
                                consumer, admin, codec, NAMES, "c1", "rm", "weir-scheduler", false, System::nanoTime)
                        .progress())
                .isEmpty();

        assertThat(asked)
                .containsExactly(Map.of(
                        "weir-scheduler", new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(HEARTBEATS))));
    }

    /** Is not asked anything. */
    private static Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                KafkaCommandFeedTest.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
