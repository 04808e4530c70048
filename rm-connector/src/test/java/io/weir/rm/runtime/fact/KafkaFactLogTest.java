package io.weir.rm.runtime.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.NodeMetric;
import io.weir.service.ProgressWatch;
import io.weir.topics.AvroCodec;
import io.weir.topics.AvroTrust;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaFactLogTest {
    static {
        AvroTrust.install();
    }

    private static final TopicNames NAMES = new TopicNames("weir.");
    private static final Heartbeat HEARTBEAT = Heartbeat.newBuilder()
            .setCluster("c1")
            .setConnector("rm")
            .setKind(HeartbeatKind.HEARTBEAT)
            .setNumber(1)
            .setRmTime(Instant.EPOCH)
            .build();

    @Test
    void shouldSendAFactAtOnceUnlessFactsAreWrittenTogether() {
        assertThat(KafkaFactLog.settings(Map.of(), "c1", false)).containsEntry(ProducerConfig.LINGER_MS_CONFIG, 0);
        assertThat(KafkaFactLog.settings(Map.of(), "c1", true))
                .hasEntrySatisfying(
                        ProducerConfig.LINGER_MS_CONFIG,
                        millis -> assertThat((Integer) millis).isPositive());
    }

    @Test
    void shouldLeaveTheLingerToTheSite() {
        Map<String, Object> own = Map.of(ProducerConfig.LINGER_MS_CONFIG, 3);

        assertThat(KafkaFactLog.settings(own, "c1", true)).containsEntry(ProducerConfig.LINGER_MS_CONFIG, 3);
    }

    @Test
    void shouldNotLetTheSiteLoseFacts() {
        Map<String, Object> own =
                Map.of(ProducerConfig.ACKS_CONFIG, "0", ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);

        assertThat(KafkaFactLog.settings(own, "c1", false))
                .containsEntry(ProducerConfig.ACKS_CONFIG, "all")
                .containsEntry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    }

    /** Brokers restored from copies that are older than the running connector. */
    @Test
    void shouldEndTheEpochWhereTheLogLostItsEnd() {
        Queue<Long> offsets = new ArrayDeque<>(List.of(7L, 8L, 3L));
        Producer<byte[], byte[]> producer = new MockProducer<>() {
            @Override
            public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message, Callback callback) {
                RecordMetadata place = new RecordMetadata(
                        new TopicPartition(message.topic(), 0), Objects.requireNonNull(offsets.poll()), 0, 0, 0, 0);
                callback.onCompletion(place, null);
                return CompletableFuture.completedFuture(place);
            }
        };
        try (AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://facts"))) {
            KafkaFactLog log = new KafkaFactLog(producer, codec, NAMES, "c1");
            log.append(Topics.RM_HEARTBEATS, "rm", HEARTBEAT, new FactOrigin("rm", 1, 1));
            log.append(Topics.RM_HEARTBEATS, "rm", HEARTBEAT, new FactOrigin("rm", 1, 2));
            log.flush();
            log.append(Topics.RM_HEARTBEATS, "rm", HEARTBEAT, new FactOrigin("rm", 1, 3));

            assertThatThrownBy(log::flush)
                    .isInstanceOf(LogUnavailableException.class)
                    .hasMessageContaining("has lost records: after one at offset 8, another was written at offset 3");
        }
    }

    /** As after the password was changed: the connector waits, as it does for brokers that are away. */
    @Test
    void shouldBeginAnEpochAnewWhenTheLoginIsRefused() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        try (AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://login"))) {
            KafkaFactLog log = new KafkaFactLog(producer, codec, NAMES, "c1");
            log.append(Topics.RM_HEARTBEATS, "rm", HEARTBEAT, new FactOrigin("rm", 1, 1));
            producer.errorNext(new SaslAuthenticationException("invalid credentials"));

            assertThatThrownBy(log::flush)
                    .isInstanceOf(LogUnavailableException.class)
                    .hasMessageContaining("invalid credentials");
        }
    }

    /** As after somebody lowered the topic's max.message.bytes: a new epoch would be of no use. */
    @Test
    void shouldNameTheTopicThatTakesNoRecordOfThisSize() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        try (AvroCodec codec = new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://size"))) {
            KafkaFactLog log = new KafkaFactLog(producer, codec, NAMES, "c1");
            log.append(Topics.RM_HEARTBEATS, "rm", HEARTBEAT, new FactOrigin("rm", 1, 1));
            producer.errorNext(new RecordTooLargeException("larger than the server will accept"));

            assertThatThrownBy(log::flush)
                    .isInstanceOf(RecordTooLargeException.class)
                    .hasMessage("could not write to weir.rm.heartbeats: larger than the server will accept");
        }
    }

    @Test
    void shouldTellForHowLongFactsWaitToBeAcknowledged() {
        AtomicLong nanos = new AtomicLong();
        ProgressWatch watch = new ProgressWatch(KafkaFactLog.PUBLISHED, nanos::get);
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
        TopicNames names = new TopicNames("weir.");
        try (AvroCodec codec = new AvroCodec(names, Map.of("schema.registry.url", "mock://fact-log"));
                KafkaFactLog log = new KafkaFactLog(producer, codec, names, "c1", watch)) {
            FactOrigin origin = new FactOrigin("rm", 0, 1);
            log.append(Topics.MONITORING_METRICS, "n1", metric(), origin);
            nanos.set(Duration.ofSeconds(20).toNanos());
            log.append(Topics.MONITORING_METRICS, "n1", metric(), origin);
            nanos.set(Duration.ofSeconds(40).toNanos());
            assertThat(watch.obstacle())
                    .hasValueSatisfying(text -> assertThat(text).startsWith("nothing could be published for 40 s"));

            producer.completeNext();
            assertThat(watch.obstacle()).isEmpty();
            nanos.set(Duration.ofSeconds(70).toNanos());
            assertThat(watch.longest()).isEqualTo(Duration.ofSeconds(30));

            producer.completeNext();
            assertThat(watch.longest()).isZero();
        }
    }

    private static NodeMetric metric() {
        return NodeMetric.newBuilder()
                .setCluster("c1")
                .setNodeId("n1")
                .setMetric("load")
                .setValue(1)
                .setTime(Instant.EPOCH)
                .build();
    }
}
