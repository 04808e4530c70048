package io.weir.scheduler.query.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.CapturedLog;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.PolicyVersion;
import io.weir.service.Readiness;
import io.weir.service.http.HttpRefusal;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image under records that cannot be read, and brokers that do not answer; there is no broker here. */
class LiveImageTest {
    private static final TopicNames NAMES = new TopicNames("t.");
    private static final List<Topic<?>> READ = List.of(
            Topics.JOBS,
            Topics.NODES,
            Topics.RESERVATIONS,
            Topics.EXPLANATIONS,
            Topics.POLICY,
            Topics.JOURNAL,
            Topics.RM_HEARTBEATS);
    private static final TopicPartition POLICY = new TopicPartition(NAMES.full(Topics.POLICY), 0);
    private static final TopicPartition HEARTBEATS = new TopicPartition(NAMES.full(Topics.RM_HEARTBEATS), 0);
    private static final LiveImage.Timing QUICK = timing(Duration.ofSeconds(60));

    private final AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://live-image"));
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Readiness readiness = new Readiness();
    private final UnreadableRecords unreadable = new UnreadableRecords(meters);

    @RegisterExtension
    final CapturedLog log = new CapturedLog(ClusterImageFeed.class, Level.WARN);

    @AfterEach
    void close() {
        codec.close();
    }

    /** Topics of one partition each, on the consumer of a feed; their content outlives it. */
    private static class FakeTopics extends MockConsumer<byte[], byte[]> {
        /** Whether the policy, once read, ends before what was read. */
        private boolean shrinks;

        private int looks;

        FakeTopics() {
            super("none");
            READ.forEach(topic -> updatePartitions(
                    NAMES.full(topic),
                    List.of(new PartitionInfo(NAMES.full(topic), 0, Node.noNode(), new Node[0], new Node[0]))));
            Map<TopicPartition, Long> zero = new HashMap<>();
            READ.forEach(topic -> zero.put(new TopicPartition(NAMES.full(topic), 0), 0L));
            updateBeginningOffsets(zero);
            updateEndOffsets(zero);
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
            Map<TopicPartition, Long> ends = new HashMap<>(super.endOffsets(partitions));
            if (shrinks && partitions.size() == READ.size() && looks++ > 0) {
                ends.put(POLICY, 1L);
            }
            return ends;
        }

        /** Makes what is at {@code offset} and says that the topic ends behind it. */
        void policy(long offset, @Nullable String key, byte[] value) {
            byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
            schedulePollTask(() -> addRecord(new ConsumerRecord<>(POLICY.topic(), 0, offset, bytes, value)));
            updateEndOffsets(Map.of(POLICY, offset + 1));
        }
    }

    private byte[] policy(String version) {
        return codec.encode(
                Topics.POLICY,
                PolicyVersion.newBuilder()
                        .setCluster("kth")
                        .setVersion(version)
                        .setText("")
                        .setSource("test")
                        .setPrincipal("anna")
                        .setTime(Instant.EPOCH)
                        .build());
    }

    private static List<String> policies(LiveImage image) {
        return image.read(all -> List.copyOf(all.policies().keys()));
    }

    private ClusterImageFeed feed(FakeTopics topics) {
        return new ClusterImageFeed(topics, NAMES, codec, unreadable);
    }

    private static LiveImage.Timing timing(Duration patience) {
        return new LiveImage.Timing(
                Duration.ofMillis(20),
                patience,
                Duration.ofSeconds(5),
                Duration.ofMillis(10),
                Duration.ofMillis(50),
                Duration.ofHours(1));
    }

    private LiveImage image(Supplier<ClusterImageFeed> source) {
        return new LiveImage(source, new ImageHealth(meters, readiness), QUICK);
    }

    /** The scheduler runs on while its topics are read for the first time. */
    @Test
    void shouldReadPastTheEndOfATopicThatGrowsMeanwhile() {
        FakeTopics topics = new FakeTopics();
        topics.schedulePollTask(() -> {
            topics.addRecord(new ConsumerRecord<>(POLICY.topic(), 0, 0, key("kth/a"), policy("a")));
            topics.addRecord(new ConsumerRecord<>(POLICY.topic(), 0, 1, key("kth/b"), policy("b")));
        });
        topics.updateEndOffsets(Map.of(POLICY, 1L));
        try (ClusterImageFeed feed = feed(topics)) {
            assertThat(feed.catchUp().policies().keys()).containsExactly("kth/a", "kth/b");
        }
    }

    /** A connector runs for longer than its topic keeps the first word of its epoch. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDoWithoutAHelloThatHasExpired(boolean before) {
        FakeTopics topics = new FakeTopics();
        Runnable expire = () -> topics.updateBeginningOffsets(Map.of(HEARTBEATS, 5L));
        if (before) {
            expire.run();
        }
        topics.updateEndOffsets(Map.of(HEARTBEATS, 6L));
        topics.schedulePollTask(() -> topics.addRecord(heartbeat(5)));
        topics.schedulePollTask(() -> {
            expire.run();
            topics.addRecord(heartbeat(6));
        });
        try (ClusterImageFeed feed = feed(topics)) {
            feed.catchUp();
            topics.updateEndOffsets(Map.of(HEARTBEATS, 7L));
            assertThat(feed.catchUp().heartbeats().get("kth/rm").getNumber()).isEqualTo(6);
        }
    }

    private ConsumerRecord<byte[], byte[]> heartbeat(long offset) {
        Heartbeat heartbeat = Heartbeat.newBuilder()
                .setCluster("kth")
                .setConnector("rm")
                .setKind(HeartbeatKind.HEARTBEAT)
                .setNumber(offset)
                .setRmTime(Instant.EPOCH)
                .build();
        ConsumerRecord<byte[], byte[]> entry = new ConsumerRecord<>(
                HEARTBEATS.topic(), 0, offset, key("kth/rm"), codec.encode(Topics.RM_HEARTBEATS, heartbeat));
        FactHeaders.EPOCH.put(entry.headers(), 2);
        return entry;
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldLeaveOutWhatCannotBeReadAndSayWhere() {
        FakeTopics topics = new FakeTopics();
        topics.policy(0, "kth/a", policy("a"));
        topics.policy(1, "kth/b", new byte[] {1, 2, 3});
        topics.policy(2, null, policy("c"));
        topics.policy(3, "other/d", policy("d"));
        topics.policy(4, "kth/a", new byte[0]);
        topics.policy(5, "kth/e", policy("e"));
        try (LiveImage image = image(() -> feed(topics))) {
            assertThat(policies(image)).containsExactly("kth/a", "kth/e");
        }
        assertThat(meters.get("weir.api.records.unreadable")
                        .tag("topic", POLICY.topic())
                        .counter()
                        .count())
                .isEqualTo(4);
        assertThat(unreadable.warning())
                .hasValueSatisfying(
                        warning -> assertThat(warning)
                                .startsWith(
                                        "records of the state topics that cannot be read are left out: 4 of t.policy; the log says why"));
    }

    @Test
    void shouldWarnOfRecordsThatAreLeftOutUntilTheirKeysHaveOthers() {
        FakeTopics topics = new FakeTopics();
        topics.policy(0, "kth/b", new byte[] {1, 2, 3});
        try (LiveImage image = image(() -> feed(topics))) {
            assertThat(policies(image)).isEmpty();
            assertThat(unreadable.warning())
                    .hasValueSatisfying(
                            warning -> assertThat(warning)
                                    .startsWith(
                                            "records of the state topics that cannot be read are left out: 1 of t.policy; the log says why"));

            topics.policy(1, "kth/b", policy("b"));
            assertThat(policies(image)).containsExactly("kth/b");
            assertThat(unreadable.warning()).isEmpty();
        }
    }

    /** The policy expires; nodes are kept by their keys. */
    @Test
    void shouldSayWhichStateTopicHasLostRecordsThatItsCleanUpKeeps() {
        TopicPartition nodes = new TopicPartition(NAMES.full(Topics.NODES), 0);
        FakeTopics topics = new FakeTopics();
        topics.updateBeginningOffsets(Map.of(nodes, 32L, POLICY, 5L));
        topics.updateEndOffsets(Map.of(nodes, 32L, POLICY, 5L));
        try (ClusterImageFeed feed = feed(topics)) {
            feed.catchUp();
        }
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("Records of t.nodes-0 were removed up to offset 32");
    }

    @Test
    void shouldCountARecordOnceHoweverOftenItIsRead() {
        AtomicInteger made = new AtomicInteger();
        Supplier<ClusterImageFeed> source = () -> {
            made.incrementAndGet();
            FakeTopics topics = new FakeTopics();
            topics.policy(0, "kth/b", new byte[] {1, 2, 3});
            return feed(topics);
        };
        for (int i = 0; i < 3; i++) {
            try (LiveImage image = new LiveImage(source, new ImageHealth(meters, readiness), QUICK)) {
                image.read(ClusterImage::clusters);
            }
        }

        assertThat(made).hasValue(3);
        assertThat(meters.get("weir.api.records.unreadable").counter().count()).isEqualTo(1);
    }

    @Test
    void shouldRefuseRatherThanAnswerWithoutTheTopics() {
        Supplier<ClusterImageFeed> silent = () -> {
            throw new TimeoutException("no broker");
        };
        try (LiveImage image =
                new LiveImage(silent, new ImageHealth(meters, readiness), timing(Duration.ofMillis(100)))) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> image.read(ClusterImage::clusters))
                        .isInstanceOfSatisfying(HttpRefusal.class, refusal -> {
                            assertThat(refusal.status()).isEqualTo(503);
                            assertThat(refusal.headers()).containsKey("Retry-After");
                        });
            }
        }
    }

    @Test
    void shouldSayWhichRightIsMissing() {
        Supplier<ClusterImageFeed> refused = () -> {
            throw new TopicAuthorizationException(Set.of("weir.nodes"));
        };
        try (LiveImage image =
                new LiveImage(refused, new ImageHealth(meters, readiness), timing(Duration.ofMillis(100)))) {
            assertThatThrownBy(() -> image.read(ClusterImage::clusters))
                    .hasMessageEndingWith("; ask again. The account of this service lacks a right on topic weir.nodes:"
                            + " grant it what 'weir acls' prints");
        }
    }

    @Test
    void shouldGoOnWhenTheBrokerAnswersAgain() {
        AtomicInteger silences = new AtomicInteger(5);
        FakeTopics topics = new FakeTopics() {
            @Override
            public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
                if (silences.get() > 0 && partitions.size() == READ.size() && silences.getAndDecrement() > 0) {
                    throw new TimeoutException("silent");
                }
                return super.endOffsets(partitions);
            }
        };
        topics.policy(0, "kth/a", policy("a"));
        try (LiveImage image = image(() -> feed(topics))) {
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(policies(image)).containsExactly("kth/a"));
            assertThat(silences).hasValue(0);
        }
    }

    @Test
    void shouldReadAnewWhenOffsetsAreGoneOrTheTopicIsAnother() {
        AtomicInteger made = new AtomicInteger();
        Supplier<ClusterImageFeed> source = () -> {
            FakeTopics topics = new FakeTopics();
            switch (made.incrementAndGet()) {
                case 1 ->
                    topics.schedulePollTask(
                            () -> topics.setPollException(new OffsetOutOfRangeException(Map.of(POLICY, 0L))));
                case 2 -> {
                    topics.policy(0, "kth/a", policy("a"));
                    topics.policy(1, "kth/b", policy("b"));
                    topics.shrinks = true;
                }
                default -> topics.policy(0, "kth/c", policy("c"));
            }
            if (made.get() == 1) {
                topics.updateEndOffsets(Map.of(POLICY, 1L));
            }
            return feed(topics);
        };
        try (LiveImage image = image(source)) {
            await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(policies(image)).containsExactly("kth/c"));
        }
    }

    @Test
    void shouldReplaceAFollowerThatDiesOrStalls() {
        AtomicInteger made = new AtomicInteger();
        Supplier<ClusterImageFeed> source = () -> {
            int number = made.incrementAndGet();
            FakeTopics topics = new FakeTopics() {
                @Override
                public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
                    if (partitions.size() == READ.size()) {
                        if (number == 1) {
                            throw new StackOverflowError("dies");
                        } else if (number == 2) {
                            await().forever().until(() -> false);
                        }
                    }
                    return super.endOffsets(partitions);
                }
            };
            topics.policy(0, "kth/a", policy("a"));
            return feed(topics);
        };
        try (LiveImage image = image(source)) {
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(policies(image)).containsExactly("kth/a"));
        }
        assertThat(made).hasValue(3);
        assertThat(meters.get("weir.api.image.restarts").counter().count()).isEqualTo(2);
    }

    @Test
    void shouldReadNothingUntilSomebodyAsks() {
        AtomicInteger made = new AtomicInteger();
        try (LiveImage image = image(() -> {
            made.incrementAndGet();
            return feed(new FakeTopics());
        })) {
            assertThat(readiness.isReady()).isTrue();
            assertThat(meters.get("weir.api.image.age").gauge().value()).isZero();
        }
        assertThat(made).hasValue(0);
    }

    /** A cluster may be on one of them now: the image is made anew. */
    @Test
    void shouldNotGoOnWherePartitionsWereAdded() {
        FakeTopics topics = new FakeTopics();
        try (ClusterImageFeed feed = feed(topics)) {
            feed.catchUp();
            topics.updatePartitions(
                    POLICY.topic(),
                    List.of(
                            new PartitionInfo(POLICY.topic(), 0, Node.noNode(), new Node[0], new Node[0]),
                            new PartitionInfo(POLICY.topic(), 1, Node.noNode(), new Node[0], new Node[0])));

            assertThatThrownBy(feed::catchUp)
                    .isInstanceOf(KafkaException.class)
                    .hasMessage("Partitions were added: [t.policy-1]");
        }
    }
}
