package io.weir.notifier.runtime.handler;

import static io.weir.notifier.runtime.loop.LoopFixture.NAMES;
import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static io.weir.notifier.runtime.loop.LoopFixture.notification;
import static io.weir.notifier.runtime.loop.LoopFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.runtime.loop.Step;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import io.weir.topics.AvroCodec;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IntakeHandlerTest {

    private final LoopFixture kafka = new LoopFixture();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final RecordLoop loop = kafka.assigned(handler(kafka.codec));

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldSayNothingOfWhatChannelsCanDeliver() throws Exception {
        kafka.add("tiny/7/0");

        run(loop);

        assertThat(kafka.deadLetterFactory()).isEmpty();
        assertThat(kafka.position()).containsEntry(P0, 1L);
    }

    @Test
    void shouldPutAsideWhatNoResultCouldName() throws Exception {
        kafka.add("x".repeat(600_000));
        kafka.add(
                P0,
                Notification.newBuilder(notification("tiny/7/1", "nodedown", Severity.ERROR))
                        .setCluster("c".repeat(321))
                        .build());

        run(loop);

        assertThat(kafka.deadLetterFactory())
                .extracting(DeadLetter::getCause)
                .containsExactly("INVALID_ID", "INVALID_CLUSTER");
        assertThat(kafka.deadLetterFactory().get(0).getMessage()).contains("with 600000 characters");
        assertThat(kafka.position()).containsEntry(P0, 2L);
    }

    @Test
    void shouldKeepUndecodableBytesWithTheirOriginAndGoOn() throws Exception {
        byte[] value = {0, 0, 0, 0, 99, 1, 2};
        kafka.add("tiny/7/0");
        ConsumerRecord<byte[], byte[]> poison = LoopFixture.record(P0, 1, value);
        poison.headers().add("trace", "abc".getBytes(StandardCharsets.UTF_8)).add("nothing", null);
        kafka.consumer.addRecord(poison);
        kafka.consumer.addRecord(LoopFixture.record(P0, 2, new byte[] {'{', '}'}));
        kafka.consumer.addRecord(LoopFixture.record(P0, 3, null));

        run(loop);

        assertThat(kafka.deadLetterFactory()).extracting(DeadLetter::getOffset).containsExactly(1L, 2L, 3L);
        assertThat(kafka.deadLetterFactory()).extracting(DeadLetter::getCause).containsOnly("UNDECODABLE");
        DeadLetter letter = kafka.deadLetterFactory().get(0);
        assertThat(letter.getTopic()).isEqualTo("notifications");
        assertThat(letter.getMessage()).contains("99");
        assertThat(letter.getValue().array()).isEqualTo(value);
        assertThat(new String(letter.getKey().array(), StandardCharsets.UTF_8)).isEqualTo("tiny/key");
        assertThat(letter.getHeaders()).hasSize(2);
        assertThat(letter.getHeaders().get(0).getName()).isEqualTo("trace");
        assertThat(letter.getHeaders().get(1).getValue()).isNull();
        assertThat(kafka.position()).containsEntry(P0, 4L);
        assertThat(meters.get("weir.notifier.unusable").counter().count()).isEqualTo(3);
    }

    @Test
    void shouldKeepARecordOfAnotherType() throws Exception {
        DeliveryResult other = DeliveryResult.newBuilder()
                .setCluster("tiny")
                .setDeliveryId("tiny/7/0")
                .setChannel("ops")
                .setOutcome(DeliveryOutcome.DEAD)
                .setAttempts(1)
                .setTime(Instant.EPOCH)
                .build();
        kafka.codec.prepare(List.of(Topics.NOTIFICATIONS));
        kafka.add(P0, kafka.codec.encode(Topics.DELIVERY_RESULTS, other));

        run(loop);

        assertThat(kafka.deadLetterFactory()).extracting(DeadLetter::getCause).containsExactly("UNDECODABLE");
    }

    @Test
    void shouldKeepWhatCouldNotBeKeyedOrRecognised() throws Exception {
        Notification valid = notification("tiny/7/0", "nodedown", Severity.ERROR);
        kafka.add(P0, Notification.newBuilder(valid).setCluster("a/b").build());
        kafka.add(P0, Notification.newBuilder(valid).setCluster("").build());
        kafka.add(P0, Notification.newBuilder(valid).setNotificationId(" ").build());

        run(loop);

        assertThat(kafka.deadLetterFactory())
                .extracting(DeadLetter::getCause)
                .containsExactly("INVALID_CLUSTER", "INVALID_CLUSTER", "INVALID_ID");
    }

    @Test
    void shouldWaitForTheRegistryInsteadOfCallingARecordPoison() {
        try (AvroCodec away = new AvroCodec(NAMES, Map.of("schema.registry.url", "http://127.0.0.1:9"))) {
            byte[] value =
                    kafka.codec.encode(Topics.NOTIFICATIONS, notification("tiny/7/0", "nodedown", Severity.ERROR));

            Step step = handler(away).handle(LoopFixture.record(P0, 0, value), 1, false);

            assertThat(step)
                    .isInstanceOfSatisfying(
                            Step.Postpone.class,
                            postpone -> assertThat(postpone.pause()).isEqualTo(Duration.ofSeconds(5)));
        }
    }

    private IntakeHandler handler(AvroCodec codec) {
        return new IntakeHandler(
                new NotificationReader(codec),
                new DeadLetterFactory(NAMES),
                new NotifierMetrics(meters),
                Duration.ofSeconds(5));
    }
}
