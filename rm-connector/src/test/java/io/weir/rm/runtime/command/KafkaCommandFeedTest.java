package io.weir.rm.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import io.weir.rm.runtime.fact.LogUnavailableException;
import io.weir.rm.spi.Commands;
import io.weir.schemas.CommandKind;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.RmCommand;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.Schema;
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
    private static final TopicPartition COMMANDS = new TopicPartition(NAMES.full(Topics.COMMANDS), 0);
    private static final TopicPartition HEARTBEATS = new TopicPartition(NAMES.full(Topics.RM_HEARTBEATS), 0);

    private final LateRegistry registry = new LateRegistry();
    private final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://feed"), registry);
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final KafkaCommandFeed feed =
            new KafkaCommandFeed(consumer, admin(), codec, NAMES, "c1", "rm", null, false, () -> this.nanos);
    private long offset;
    private long nanos;

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

    /** A registry that reads its own log after a restart does not know yet what it knew before. */
    @Test
    void shouldWaitForASchemaThatTheRegistryDoesNotKnowYet() {
        byte[] known = codec.encode(Topics.COMMANDS, command(2));
        int unknown = ByteBuffer.wrap(known).getInt(1) + 1_000;
        byte[] first = codec.encode(Topics.COMMANDS, command(1));
        ByteBuffer.wrap(first).putInt(1, unknown);
        followCommands(first, known);

        assertThat(feed.poll(Duration.ZERO)).isEmpty();
        assertThat(consumer.paused()).containsExactly(COMMANDS);
        assertThat(consumer.position(COMMANDS)).isZero();

        registry.know(unknown, RmCommand.getClassSchema());
        nanos += SchemaPatience.PAUSE.toNanos();
        addCommands(first, known);

        assertThat(feed.poll(Duration.ZERO))
                .containsExactly(new Incoming.Ordered(command(1)), new Incoming.Ordered(command(2)));
    }

    @Test
    void shouldPutAsideWhatHasASchemaThatStaysUnknown() {
        byte[] known = codec.encode(Topics.COMMANDS, command(2));
        byte[] first = codec.encode(Topics.COMMANDS, command(1));
        ByteBuffer.wrap(first).putInt(1, 1_000_000);
        followCommands(first, known);
        feed.poll(Duration.ZERO);
        nanos += SchemaPatience.LIMIT.toNanos();
        addCommands(first, known);

        assertThat(feed.poll(Duration.ZERO))
                .satisfiesExactly(
                        letter -> assertThat(letter).isInstanceOf(Incoming.Unreadable.class),
                        next -> assertThat(next).isEqualTo(new Incoming.Ordered(command(2))));
    }

    @Test
    void shouldWaitOnlyOnceForEachSchemaThatStaysUnknown() {
        assertWaitsForTheFirstAlone(unknown(1_000_000), unknown(1_000_000));
    }

    /** Rubbish seems to be of another schema with each record; the commands between would wait a minute for each. */
    @Test
    void shouldNotWaitForOneUnknownSchemaAfterTheOther() {
        byte[] first = unknown(1_000_000);
        byte[] second = unknown(1_000_001);
        byte[] known = assertWaitsForTheFirstAlone(first, second);

        nanos += SchemaPatience.RESPITE.toNanos();
        addCommands(first, second, known, unknown(1_000_002));
        assertThat(feed.poll(Duration.ZERO)).isEmpty();
        assertThat(consumer.paused()).containsExactly(COMMANDS);
    }

    /** Has the two be dead letters after the wait for one, and the command behind them read; returns that. */
    private byte[] assertWaitsForTheFirstAlone(byte[] first, byte[] second) {
        byte[] known = codec.encode(Topics.COMMANDS, command(3));
        followCommands(first, second, known);
        feed.poll(Duration.ZERO);
        nanos += SchemaPatience.LIMIT.toNanos();
        addCommands(first, second, known);

        assertThat(feed.poll(Duration.ZERO))
                .satisfiesExactly(
                        letter -> assertThat(letter).isInstanceOf(Incoming.Unreadable.class),
                        letter -> assertThat(letter).isInstanceOf(Incoming.Unreadable.class),
                        next -> assertThat(next).isEqualTo(new Incoming.Ordered(command(3))));
        return known;
    }

    private byte[] unknown(int schema) {
        byte[] record = codec.encode(Topics.COMMANDS, command(1));
        ByteBuffer.wrap(record).putInt(1, schema);
        return record;
    }

    /** With more partitions, what is written for the cluster goes elsewhere. */
    @Test
    void shouldEndTheEpochWhenTheClusterMovesToAnotherPartition() {
        Admin away = (Admin) Proxy.newProxyInstance(
                KafkaCommandFeedTest.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, arguments) -> {
                    throw new KafkaException("away");
                });
        KafkaCommandFeed following =
                new KafkaCommandFeed(consumer, away, codec, NAMES, "c1", "rm", "weir-scheduler", false, () -> nanos);
        following.progress();
        int more = 2;
        while (ClusterPartitioner.partition("c1", more) == 0) {
            more++;
        }
        Node[] none = {};
        List<PartitionInfo> partitions = new ArrayList<>();
        for (int i = 0; i < more; i++) {
            partitions.add(new PartitionInfo(HEARTBEATS.topic(), i, Node.noNode(), none, none));
        }
        consumer.updatePartitions(HEARTBEATS.topic(), partitions);
        nanos += Duration.ofSeconds(11).toNanos();

        assertThatThrownBy(() -> following.poll(Duration.ZERO))
                .isInstanceOf(LogUnavailableException.class)
                .hasMessageContaining("partitions were added to weir.rm.heartbeats");
    }

    private void followCommands(byte[]... values) {
        consumer.assign(List.of(COMMANDS));
        consumer.updateBeginningOffsets(Map.of(COMMANDS, 0L));
        addCommands(values);
    }

    private void addCommands(byte[]... values) {
        for (int i = 0; i < values.length; i++) {
            consumer.addRecord(
                    new ConsumerRecord<>(COMMANDS.topic(), 0, i, new EntityKey("c1", "j").toBytes(), values[i]));
        }
    }

    private static RmCommand command(long number) {
        return Commands.builder("c1", number, CommandKind.CANCEL_JOB, "j", Instant.ofEpochSecond(900))
                .build();
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

    /** Learns schemas of ids that others gave. */
    private static final class LateRegistry extends MockSchemaRegistryClient {
        private final Map<Integer, ParsedSchema> late = new HashMap<>();

        void know(int id, Schema schema) {
            late.put(id, new AvroSchema(schema));
        }

        @Override
        public ParsedSchema getSchemaBySubjectAndId(String subject, int id) throws IOException, RestClientException {
            ParsedSchema known = late.get(id);
            return known == null ? super.getSchemaBySubjectAndId(subject, id) : known;
        }
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
