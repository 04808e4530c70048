package io.weir.notifier.runtime.handler;

import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static io.weir.notifier.runtime.loop.LoopFixture.notification;
import static io.weir.notifier.runtime.loop.LoopFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.runtime.loop.BeginningMark;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Severity;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveryHandlerTest {

    private static final RetrySchedule SCHEDULE =
            new RetrySchedule(3, Duration.ofSeconds(10), 2, Duration.ofMinutes(5));

    private final LoopFixture kafka = new LoopFixture();
    private final FakeChannel channel = new FakeChannel();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final RecordLoop loop = kafka.assigned(handler(new Routing(List.of())));

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldAnswerADeliveryWithItsResult() throws Exception {
        kafka.add("tiny/7/0");

        run(loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0");
        assertThat(kafka.results())
                .containsExactly(DeliveryResult.newBuilder()
                        .setCluster("tiny")
                        .setDeliveryId("tiny/7/0")
                        .setChannel("ops")
                        .setOutcome(DeliveryOutcome.DELIVERED)
                        .setAttempts(1)
                        .setMessage("taken")
                        .setTime(kafka.clock.instant())
                        .build());
        assertThat(kafka.producers.get(0).history())
                .extracting(record -> new String(record.key(), StandardCharsets.UTF_8))
                .containsExactly("tiny/tiny/7/0");
        assertThat(settled("delivered")).isEqualTo(1);
    }

    @Test
    void shouldRetryOnScheduleAndCountTheAttempts() throws Exception {
        fail(2);
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofSeconds(9), loop);
        assertThat(channel.attempts).hasSize(1);
        kafka.pass(Duration.ofSeconds(1), loop);
        assertThat(channel.attempts).hasSize(2);
        kafka.pass(Duration.ofSeconds(19), loop);
        assertThat(channel.attempts).hasSize(2);
        kafka.pass(Duration.ofSeconds(1), loop);

        assertThat(channel.attempts).hasSize(3);
        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome, DeliveryResult::getAttempts)
                .containsExactly(tuple(DeliveryOutcome.DELIVERED, 3));
        assertThat(kafka.deadLetterFactory()).isEmpty();
    }

    @Test
    void shouldMakeADeadLetterOfWhatStillFailsAtTheLastAttemptAndGoOn() throws Exception {
        fail(3);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");

        run(loop);
        kafka.pass(Duration.ofSeconds(40), loop);

        assertThat(kafka.deadLetterFactory()).singleElement().satisfies(letter -> {
            assertThat(letter.getService()).isEqualTo("notifier");
            assertThat(letter.getTopic()).isEqualTo("notifications");
            assertThat(letter.getPartition()).isZero();
            assertThat(letter.getOffset()).isZero();
            assertThat(letter.getCause()).isEqualTo("UNDELIVERED");
            assertThat(letter.getMessage()).isEqualTo("channel ops gave up delivery tiny/7/0 after 3 attempts: away");
            assertThat(kafka.codec.decode(
                            Topics.NOTIFICATIONS, letter.getValue().array()))
                    .isEqualTo(notification("tiny/7/0", "nodedown", Severity.ERROR));
        });
        assertThat(kafka.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome, DeliveryResult::getAttempts)
                .containsExactly(
                        tuple("tiny/7/0", DeliveryOutcome.DEAD, 3), tuple("tiny/7/1", DeliveryOutcome.DELIVERED, 1));
        assertThat(kafka.producers.get(0).consumerGroupOffsetsHistory())
                .as("result, dead letter and position are one transaction")
                .hasSize(2);
        assertThat(settled("dead")).isEqualTo(1);
    }

    @Test
    void shouldGiveUpARefusalAtOnce() throws Exception {
        channel.failures.add(new DeliveryException("HTTP 404"));
        kafka.add("tiny/7/0");

        run(loop);

        assertThat(channel.attempts).hasSize(1);
        assertThat(kafka.deadLetterFactory())
                .extracting(DeadLetter::getMessage)
                .containsExactly("channel ops gave up delivery tiny/7/0 after 1 attempt: HTTP 404");
    }

    @Test
    void shouldLeaveTheReceiverAloneAsLongAsItAsks() throws Exception {
        channel.failures.add(new RetriableDeliveryException("HTTP 503", Duration.ofSeconds(60)));
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofSeconds(59), loop);
        assertThat(channel.attempts).hasSize(1);

        kafka.pass(Duration.ofSeconds(1), loop);
        assertThat(channel.attempts).hasSize(2);
    }

    @Test
    void shouldTreatADefectOfTheChannelAsRetriable() throws Exception {
        channel.failures.add(new IllegalStateException("a defect"));
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofSeconds(10), loop);

        assertThat(kafka.results()).extracting(DeliveryResult::getAttempts).containsExactly(2);
    }

    @Test
    void shouldSayNothingOfAnInterruptedAttempt() throws Exception {
        channel.failures.add(new InterruptedException());
        kafka.add("tiny/7/0");

        assertThatThrownBy(() -> run(loop)).isInstanceOf(InterruptedException.class);
        loop.close();

        assertThat(kafka.results()).isEmpty();
        assertThat(kafka.position()).doesNotContainEntry(P0, 1L);
        assertThat(channel.closed).isTrue();
    }

    @Test
    void shouldRecordTheBeginningOfWhatNobodyRecognises() throws Exception {
        channel.recognisesRepetitions = false;
        channel.failures.add(new InterruptedException());
        kafka.add("tiny/7/0");

        assertThatThrownBy(() -> run(loop)).isInstanceOf(InterruptedException.class);

        assertThat(kafka.consumer.committed(Set.of(P0)).get(P0))
                .extracting(
                        position -> position.offset(),
                        position -> BeginningMark.offset(position).orElse(-1))
                .containsExactly(0L, 0L);
        kafka.consumer.rebalance(List.of());
        kafka.consumer.rebalance(List.of(P0));
        kafka.consumer.addRecord(LoopFixture.record(
                P0, 0, kafka.codec.encode(Topics.NOTIFICATIONS, notification("tiny/7/0", "nodedown", Severity.ERROR))));
        kafka.add("tiny/7/1");
        run(loop);

        assertThat(channel.attempts)
                .extracting(Delivery::id, Delivery::possibleDuplicate)
                .containsExactly(tuple("tiny/7/0", false), tuple("tiny/7/0", true), tuple("tiny/7/1", false));
        assertThat(kafka.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getPossibleDuplicate)
                .containsExactly(tuple("tiny/7/0", true), tuple("tiny/7/1", false));
        assertThat(BeginningMark.offset(kafka.consumer.committed(Set.of(P0)).get(P0)))
                .isEmpty();
    }

    @Test
    void shouldMarkARepetitionAfterAnAttemptInDoubtAlone() throws Exception {
        channel.recognisesRepetitions = false;
        channel.failures.add(new RetriableDeliveryException("refused"));
        channel.failures.add(RetriableDeliveryException.inDoubt("silence", new java.io.IOException("silence")));
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofSeconds(40), loop);

        assertThat(channel.attempts).extracting(Delivery::possibleDuplicate).containsExactly(false, false, true);
    }

    @Test
    void shouldPassOverWhatIsRoutedElsewhere() throws Exception {
        Routing routing = new Routing(
                List.of(new RoutingRule("r", List.of("rm*"), Severity.WARNING, List.of(), List.of(), Set.of("ops"))));
        LoopFixture other = new LoopFixture();
        RecordLoop routed = other.assigned(handler(routing, other));
        other.add(P0, notification("tiny/7/0", "nodedown", Severity.ERROR));
        other.add(P0, notification("tiny/7/1", "rmdown", Severity.INFO));
        other.add(P0, notification("tiny/7/2", "rmdown", Severity.ERROR));

        run(routed);

        assertThat(other.results()).extracting(DeliveryResult::getDeliveryId).containsExactly("tiny/7/2");
        assertThat(other.position()).containsEntry(P0, 3L);
        other.close();
    }

    @Test
    void shouldPassOverWhatNoChannelCanDeliver() throws Exception {
        kafka.add(P0, new byte[] {1, 2, 3});
        kafka.add("tiny/7/1");

        run(loop);

        assertThat(kafka.results()).extracting(DeliveryResult::getDeliveryId).containsExactly("tiny/7/1");
        assertThat(kafka.deadLetterFactory())
                .as("that is the intake's to report")
                .isEmpty();
    }

    @Test
    void shouldShortenWhatAReceiverSaysAtLength() throws Exception {
        channel.failures.add(new DeliveryException("x".repeat(5_000)));
        kafka.add("tiny/7/0");

        run(loop);

        assertThat(kafka.results().get(0).getMessage()).hasSize(1_001).endsWith("…");
    }

    private void fail(int attempts) {
        for (int i = 0; i < attempts; i++) {
            channel.failures.add(new RetriableDeliveryException("away"));
        }
    }

    private double settled(String outcome) {
        return meters.get("weir.notifier.settled")
                .tag("channel", "ops")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    /** Mail to the administrators is not sent again because the pager was broken. */
    @Test
    void shouldTakeWhatIsSentAgainOnlyIfItGaveItUp() throws Exception {
        kafka.addAgain("tiny/7/0", "pager");
        kafka.addAgain("tiny/7/1", "ops");

        run(loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/1");
        assertThat(kafka.results()).extracting(DeliveryResult::getDeliveryId).containsExactly("tiny/7/1");
    }

    @Test
    void shouldNameTheChannelThatGaveUpInTheDeadLetter() throws Exception {
        fail(3);
        kafka.add("tiny/7/0");

        run(loop);
        kafka.pass(Duration.ofSeconds(40), loop);

        assertThat(kafka.deadLetterFactory())
                .singleElement()
                .satisfies(letter -> assertThat(letter.getHeaders())
                        .singleElement()
                        .satisfies(header -> {
                            assertThat(header.getName()).isEqualTo(FactHeaders.CHANNEL.name());
                            assertThat(StandardCharsets.UTF_8
                                            .decode(header.getValue())
                                            .toString())
                                    .isEqualTo("ops");
                        }));
    }

    private DeliveryHandler handler(Routing routing) {
        return handler(routing, kafka);
    }

    private DeliveryHandler handler(Routing routing, LoopFixture fixture) {
        return new DeliveryHandler(
                "ops",
                channel,
                new NotificationReader(fixture.codec),
                routing,
                SCHEDULE,
                Pace.NONE,
                new DeadLetterFactory(LoopFixture.NAMES),
                new NotifierMetrics(meters).of("ops"),
                fixture.clock);
    }
}
