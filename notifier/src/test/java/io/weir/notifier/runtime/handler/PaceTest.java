package io.weir.notifier.runtime.handler;

import static io.weir.notifier.runtime.loop.LoopFixture.P0;
import static io.weir.notifier.runtime.loop.LoopFixture.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.notifier.runtime.loop.LoopFixture;
import io.weir.notifier.runtime.loop.RecordLoop;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.spi.Deliveries;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Notification;
import io.weir.schemas.Severity;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Digests, rate limits and quiet hours, on a clock that is moved by hand. */
class PaceTest {

    private static final RetrySchedule SCHEDULE =
            new RetrySchedule(3, Duration.ofSeconds(10), 2, Duration.ofMinutes(5));

    private final LoopFixture kafka = new LoopFixture();
    private final FakeChannel channel = new FakeChannel();

    @AfterEach
    void close() {
        kafka.close();
    }

    @Test
    void shouldTellAStormOfTenThousandInOneDigest() throws Exception {
        RecordLoop loop = loop(Map.of("digest.ms", "60000"));
        int storm = 10_000;
        IntStream.range(0, storm).forEach(i -> kafka.add("tiny/7/" + i));
        for (int i = 0; i < storm + 100; i++) {
            loop.step();
        }

        assertThat(channel.attempts).singleElement().satisfies(digest -> {
            assertThat(digest.subject()).isEqualTo("10000 notifications of tiny: 10000 nodedown");
            assertThat(digest.event()).isEqualTo("nodedown");
            assertThat(digest.text()).hasSizeLessThan(50_000).contains("and 9900 more");
            assertThat(digest.text()).contains("nodedown: n1 is down");
        });
        assertThat(kafka.results()).hasSize(storm);
        assertThat(kafka.results()).extracting(DeliveryResult::getOutcome).containsOnly(DeliveryOutcome.MERGED);
        assertThat(kafka.results().stream().map(DeliveryResult::getDeliveryId).distinct())
                .hasSize(storm);
        assertThat(kafka.position()).containsEntry(P0, (long) storm);
    }

    @Test
    void shouldWaitForMoreAndSendOneAloneAsItIs() throws Exception {
        RecordLoop loop = loop(Map.of("digest.ms", "60000"));
        kafka.add("tiny/7/0");
        run(loop);
        kafka.pass(Duration.ofSeconds(59), loop);
        assertThat(channel.attempts).isEmpty();
        assertThat(kafka.position()).as("it would be read again").doesNotContainEntry(P0, 1L);

        kafka.pass(Duration.ofSeconds(2), loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0");
        assertThat(kafka.results()).extracting(DeliveryResult::getOutcome).containsExactly(DeliveryOutcome.DELIVERED);
        assertThat(kafka.position()).containsEntry(P0, 1L);
    }

    @Test
    void shouldHoldEverythingInQuietHoursAndTellItAtTheirEnd() throws Exception {
        Instant evening = kafka.clock.instant();
        RecordLoop loop = loop(Map.of("quiet.hours", hours(evening.minusSeconds(3_600), evening.plusSeconds(7_200))));
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        run(loop);
        kafka.pass(Duration.ofMinutes(119), loop);
        assertThat(channel.attempts).isEmpty();

        kafka.pass(Duration.ofMinutes(2), loop);
        kafka.add("tiny/7/2");
        run(loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0+1", "tiny/7/2");
    }

    @Test
    void shouldRetryAfterTheQuietHoursThatBeganMeanwhile() throws Exception {
        Instant evening = kafka.clock.instant();
        RecordLoop loop = loop(Map.of("quiet.hours", hours(evening.plusSeconds(60), evening.plusSeconds(7_200))));
        kafka.pass(Duration.ofSeconds(55), loop);
        channel.failures.add(new RetriableDeliveryException("away"));
        kafka.add("tiny/7/0");
        run(loop);
        kafka.pass(Duration.ofMinutes(118), loop);
        assertThat(channel.attempts).hasSize(1);

        kafka.pass(Duration.ofMinutes(2), loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0", "tiny/7/0");
        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome, DeliveryResult::getAttempts)
                .containsExactly(tuple(DeliveryOutcome.DELIVERED, 2));
    }

    @Test
    void shouldKeepADigestThatIsDueInQuietHours() throws Exception {
        Instant evening = kafka.clock.instant();
        RecordLoop loop = loop(Map.of(
                "digest.ms", "60000", "quiet.hours", hours(evening.plusSeconds(60), evening.plusSeconds(7_200))));
        kafka.pass(Duration.ofSeconds(30), loop);
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        run(loop);
        kafka.pass(Duration.ofMinutes(118), loop);
        assertThat(channel.attempts).isEmpty();

        kafka.pass(Duration.ofMinutes(2), loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0+1");
    }

    @Test
    void shouldStopReadingWhenQuietHoursFillTheDigest() throws Exception {
        Instant evening = kafka.clock.instant();
        RecordLoop loop = loop(Map.of(
                "quiet.hours", hours(evening.minusSeconds(3_600), evening.plusSeconds(600)), "digest.most", "10"));
        IntStream.range(0, 25).forEach(i -> kafka.add("tiny/7/" + i));
        run(loop);
        assertThat(channel.attempts).isEmpty();

        kafka.pass(Duration.ofMinutes(11), loop);
        run(loop);

        assertThat(channel.attempts.get(0).id()).isEqualTo("tiny/7/0+9");
        assertThat(kafka.results()).hasSize(25);
        assertThat(kafka.position()).containsEntry(P0, 25L);
    }

    @Test
    void shouldTellTheRestInOneDigestWhenTheRateIsExceeded() throws Exception {
        RecordLoop loop = loop(Map.of("rate.most", "2", "rate.period.ms", "60000"));
        IntStream.range(0, 6).forEach(i -> kafka.add("tiny/7/" + i));

        run(loop);
        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0", "tiny/7/1");
        kafka.pass(Duration.ofSeconds(61), loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0", "tiny/7/1", "tiny/7/2+3");
        assertThat(kafka.results()).hasSize(6);
    }

    @Test
    void shouldTellEachOnlyWhatIsForHim() throws Exception {
        RecordLoop loop = loop(Map.of("digest.ms", "1000"));
        for (String user : List.of("ann", "bob", "ann")) {
            kafka.add(
                    P0,
                    Notification.newBuilder(LoopFixture.notification("tiny/" + user, "jobfail", Severity.ERROR))
                            .setRecipients(List.of(user))
                            .build());
        }
        run(loop);
        kafka.pass(Duration.ofSeconds(5), loop);
        run(loop);

        assertThat(channel.attempts)
                .extracting(Delivery::id, Delivery::recipients)
                .containsExactly(tuple("tiny/ann+1", List.of("ann")), tuple("tiny/bob", List.of("bob")));
        assertThat(kafka.results())
                .extracting(DeliveryResult::getOutcome)
                .containsExactly(DeliveryOutcome.MERGED, DeliveryOutcome.MERGED, DeliveryOutcome.DELIVERED);
    }

    /** A thousand users are told of their own jobs, ten of them a minute. */
    @Test
    void shouldKeepTheRateWithTheDigestsOfAThousandRecipients() throws Exception {
        RecordLoop loop = loop(Map.of("digest.ms", "1000", "rate.most", "10", "rate.period.ms", "60000"));
        int users = 1_000;
        for (int i = 0; i < 2 * users; i++) {
            kafka.add(
                    P0,
                    Notification.newBuilder(LoopFixture.notification("tiny/7/" + i, "jobfail", Severity.ERROR))
                            .setRecipients(List.of("user" + i % users))
                            .build());
        }
        for (int i = 0; i < 2 * users + 100; i++) {
            loop.step();
        }
        kafka.pass(Duration.ofSeconds(2), loop);
        for (int minute = 1; minute <= users / 10; minute++) {
            kafka.pass(Duration.ofMinutes(1), loop);
            assertThat(channel.attempts).as("minute %s", minute).hasSizeBetween(1, 10 * (minute + 1));
        }
        kafka.pass(Duration.ofMinutes(1), loop);

        assertThat(channel.attempts).hasSize(users);
        assertThat(channel.attempts.stream().map(Delivery::recipients).distinct())
                .hasSize(users);
        assertThat(channel.attempts).extracting(Delivery::possibleDuplicate).containsOnly(false);
        assertThat(kafka.results())
                .hasSize(2 * users)
                .extracting(DeliveryResult::getOutcome)
                .containsOnly(DeliveryOutcome.MERGED);
        assertThat(kafka.position()).containsEntry(P0, 2L * users);
    }

    @Test
    void shouldMakeTheSameDigestAgainAfterACrash() throws Exception {
        channel.failures.add(new InterruptedException());
        RecordLoop loop = loop(Map.of("digest.ms", "1000"));
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        run(loop);
        assertThatThrownBy(() -> kafka.pass(Duration.ofSeconds(5), loop)).isInstanceOf(InterruptedException.class);

        kafka.consumer.rebalance(List.of());
        kafka.consumer.rebalance(List.of(P0));
        for (int i = 0; i < 2; i++) {
            kafka.consumer.addRecord(LoopFixture.record(P0, i, bytes("tiny/7/" + i)));
        }
        kafka.add("tiny/7/2");
        run(loop);
        kafka.pass(Duration.ofSeconds(5), loop);

        assertThat(channel.attempts).extracting(Delivery::id).containsExactly("tiny/7/0+1", "tiny/7/0+1", "tiny/7/2");
        assertThat(channel.attempts.get(1)).isEqualTo(channel.attempts.get(0));
        assertThat(kafka.position()).containsEntry(P0, 3L);
    }

    @Test
    void shouldKeepEveryNotificationOfADigestThatIsGivenUp() throws Exception {
        channel.failures.add(new RetriableDeliveryException("away"));
        channel.failures.add(new DeliveryException("never"));
        RecordLoop loop = loop(Map.of("digest.ms", "1000"));
        kafka.add("tiny/7/0");
        kafka.add("tiny/7/1");
        run(loop);
        kafka.pass(Duration.ofSeconds(30), loop);

        assertThat(kafka.results())
                .extracting(DeliveryResult::getDeliveryId, DeliveryResult::getOutcome)
                .containsExactly(tuple("tiny/7/0", DeliveryOutcome.DEAD), tuple("tiny/7/1", DeliveryOutcome.DEAD));
        assertThat(kafka.deadLetterFactory())
                .extracting(letter -> letter.getOffset())
                .containsExactly(0L, 1L);
        assertThat(kafka.deadLetterFactory())
                .allSatisfy(letter -> assertThat(letter.getMessage()).endsWith(": never"));
    }

    @Test
    void shouldPassWhatIsForOthersWithTheDigest() throws Exception {
        Routing routing = new Routing(
                List.of(new RoutingRule("r", List.of("nodedown"), Severity.INFO, List.of(), List.of(), Set.of("ops"))));
        RecordLoop loop = kafka.assigned(handler(routing, Map.of("digest.ms", "1000")));
        kafka.add("tiny/7/0");
        kafka.add(P0, LoopFixture.notification("tiny/7/1", "jobstart", Severity.INFO));
        run(loop);
        assertThat(kafka.position()).doesNotContainEntry(P0, 2L);

        kafka.pass(Duration.ofSeconds(5), loop);

        assertThat(channel.attempts).hasSize(1);
        assertThat(kafka.position()).containsEntry(P0, 2L);
    }

    /** In Paris the clock went from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October. */
    @Test
    void shouldEndQuietHoursWithAChangeOfTheClockThatSkipsTheirEnd() {
        Pace.QuietHours night = pace(Map.of("quiet.hours", "22:00-02:30", "quiet.zone", "Europe/Paris"))
                .quiet()
                .orElseThrow();
        Instant change = Instant.parse("2026-03-29T01:00:00Z");

        assertThat(night.end(change.minusSeconds(1))).contains(change);
        assertThat(night.end(change)).isEmpty();
        assertThat(night.end(Instant.parse("2026-03-28T22:00:00Z"))).contains(change);

        Instant first = Instant.parse("2026-10-25T00:30:00Z");
        assertThat(night.end(first.minusSeconds(60))).contains(first);
        assertThat(night.end(first)).isEmpty();
        Instant back = Instant.parse("2026-10-25T01:00:00Z");
        assertThat(night.end(back)).as("2:00 again").contains(Instant.parse("2026-10-25T01:30:00Z"));
        assertThat(night.end(back.plusSeconds(1_800))).isEmpty();
    }

    @Test
    void shouldKnowTheHoursOfTheDayPastMidnight() {
        Pace.QuietHours night = pace(Map.of("quiet.hours", "22:00-06:30", "quiet.zone", "Europe/Paris"))
                .quiet()
                .orElseThrow();

        assertThat(night.end(Instant.parse("2026-01-10T20:59:59Z"))).isEmpty();
        assertThat(night.end(Instant.parse("2026-01-10T21:00:00Z"))).contains(Instant.parse("2026-01-11T05:30:00Z"));
        assertThat(night.end(Instant.parse("2026-01-11T05:29:59Z"))).contains(Instant.parse("2026-01-11T05:30:00Z"));
        assertThat(night.end(Instant.parse("2026-01-11T05:30:00Z"))).isEmpty();
        for (String wrong : List.of("22:00", "22-6", "x-y", "22:00-22:00", "25:00-06:00")) {
            assertThatThrownBy(() -> pace(Map.of("quiet.hours", wrong))).isInstanceOf(ConfigException.class);
        }
        assertThatThrownBy(() -> pace(Map.of("quiet.hours", "22:00-06:00", "quiet.zone", "Mars")))
                .isInstanceOf(ConfigException.class);
    }

    private static String hours(Instant from, Instant to) {
        return from.toString().substring(11, 16) + "-" + to.toString().substring(11, 16);
    }

    private byte[] bytes(String id) {
        return kafka.codec.encode(Topics.NOTIFICATIONS, LoopFixture.notification(id, "nodedown", Severity.ERROR));
    }

    private RecordLoop loop(Map<String, String> settings) {
        return kafka.assigned(handler(new Routing(List.of()), settings));
    }

    private DeliveryHandler handler(Routing routing, Map<String, String> settings) {
        return new DeliveryHandler(
                "ops",
                channel,
                new NotificationReader(kafka.codec),
                routing,
                SCHEDULE,
                pace(settings),
                new DeadLetterFactory(LoopFixture.NAMES),
                new NotifierMetrics(new SimpleMeterRegistry()).of("ops"),
                kafka.clock);
    }

    private static Pace pace(Map<String, String> settings) {
        return Pace.from(new AbstractConfig(Pace.define(new ConfigDef()), settings, false));
    }

    @Test
    void shouldTellInADigestWhatTheTextsSayBeyondTheSubjects() {
        Delivery plain = Deliveries.of("1", "fan", Severity.WARNING, "fan n1", "fan n1");
        Delivery more = Deliveries.of("2", "fan", Severity.WARNING, "fan n1", "fan 3 at 900/min\nsee the manual");

        assertThat(Digest.of(List.of(plain, more)).text())
                .containsOnlyOnce("fan: fan n1\n")
                .contains("fan: fan n1: fan 3 at 900/min");
    }
}
