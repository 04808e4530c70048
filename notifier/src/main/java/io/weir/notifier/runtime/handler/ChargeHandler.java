package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.Step;
import io.weir.notifier.spi.ChargePeer;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.Charge;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands charges to one peer in their order. What the peer refuses for good becomes a dead letter, and a result that tells
 * the scheduler so, as does the first charge that it does not take for the moment; what it takes is told by the group's
 * position alone. Owned by its loop; closes the peer.
 */
public final class ChargeHandler implements RecordHandler {

    /** Kind of the results that are about charges. */
    static final String KIND = "charge";

    private static final Logger log = LoggerFactory.getLogger(ChargeHandler.class);
    private static final int LONGEST_MESSAGE = 1_000;

    /** How long nothing more is said of a peer that does not take charges. */
    private static final Duration TOLD_EVERY = Duration.ofMinutes(10);

    private final String channel;
    private final ChargePeer peer;
    private final RetrySchedule schedule;
    private final AvroCodec codec;
    private final DeadLetterFactory deadLetterFactory;
    private final NotifierMetrics.OfChannel metrics;
    private final Clock clock;

    /** When the scheduler was last told that the peer does not take charges at the moment. */
    private Instant told = Instant.MIN;

    /** The charge of which it was told; of one it is told once, however often it is tried. */
    private String lastTold = "";

    public ChargeHandler(
            String channel,
            ChargePeer peer,
            RetrySchedule schedule,
            AvroCodec codec,
            DeadLetterFactory deadLetterFactory,
            NotifierMetrics.OfChannel metrics,
            Clock clock) {
        this.channel = channel;
        this.peer = peer;
        this.schedule = schedule;
        this.codec = codec;
        this.deadLetterFactory = deadLetterFactory;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated)
            throws InterruptedException {
        Charge charge;
        try {
            if (record.value() == null || isForOther(record)) {
                return Step.Settled.silently();
            }
            charge = codec.decode(Topics.CHARGES, record.value());
            Identity.check(charge.getCluster(), "chargeId", charge.getChargeId());
        } catch (UnusableRecordException e) {
            return new Step.Settled(
                    List.of(deadLetterFactory.of(record, e.code(), "peer " + channel + ": " + e.why(), channel)));
        } catch (PoisonRecordException e) {
            return new Step.Settled(List.of(
                    deadLetterFactory.of(record, "UNDECODABLE", "peer " + channel + ": " + e.getMessage(), channel)));
        } catch (RegistryUnavailableException e) {
            return new Step.Postpone(schedule.first(), e.toString());
        }
        try {
            Receipt receipt = metrics.timed(() -> repeated ? peer.bookAgain(charge) : peer.book(charge));
            log.debug("chargeId={} channel={}: {}", charge.getChargeId(), channel, receipt.message());
            metrics.delivered();
            return Step.Settled.silently();
        } catch (RetriableDeliveryException e) {
            return failed(record, charge, attempt, e);
        } catch (DeliveryException e) {
            return dead(record, charge, attempt, said(e));
        } catch (RuntimeException e) {
            log.error("chargeId={} channel={}: the peer itself failed", charge.getChargeId(), channel, e);
            return dead(record, charge, attempt, e.toString());
        }
    }

    @Override
    public boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
        return peer.needsMark();
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public void close() {
        peer.close();
    }

    /** What one peer gave up and is sent again is for that peer alone. */
    private boolean isForOther(ConsumerRecord<byte[], byte[]> record) {
        return FactHeaders.REDRIVEN_FROM.get(record.headers()).isPresent()
                && FactHeaders.CHANNEL
                        .get(record.headers())
                        .filter(only -> !only.equals(channel))
                        .isPresent();
    }

    private Step failed(
            ConsumerRecord<byte[], byte[]> record, Charge charge, int attempt, RetriableDeliveryException failure) {
        Optional<Duration> wait =
                schedule.waitAfter(attempt, failure.retryAfter().orElse(Duration.ZERO));
        if (wait.isEmpty()) {
            return dead(record, charge, attempt, said(failure));
        }
        log.warn(
                "chargeId={} channel={} attempt={} failed, next in {} s: {}",
                charge.getChargeId(),
                channel,
                attempt,
                wait.get().toSeconds(),
                said(failure));
        metrics.attemptFailed();
        List<Outgoing<?>> outputs = List.of();
        Instant now = clock.instant();
        boolean isNew = attempt == 1 || !charge.getChargeId().equals(lastTold);
        if (isNew && now.minus(TOLD_EVERY).isAfter(told)) {
            told = now;
            lastTold = charge.getChargeId();
            outputs = List.of(result(charge, DeliveryOutcome.FAILED, attempt, said(failure)));
        }
        return new Step.Retry(wait.get(), failure.mayHaveArrived(), outputs);
    }

    private Step dead(ConsumerRecord<byte[], byte[]> record, Charge charge, int attempt, String why) {
        log.error("chargeId={} channel={} given up after attempt={}: {}", charge.getChargeId(), channel, attempt, why);
        metrics.givenUp();
        return new Step.Settled(List.of(
                deadLetterFactory.of(
                        record,
                        DeliveryHandler.UNDELIVERED,
                        channel + " gave up charge " + charge.getChargeId() + ": " + why,
                        channel),
                result(charge, DeliveryOutcome.DEAD, attempt, why)));
    }

    private Outgoing<DeliveryResult> result(Charge charge, DeliveryOutcome outcome, int attempts, String why) {
        DeliveryResult result = DeliveryResult.newBuilder()
                .setCluster(charge.getCluster())
                .setDeliveryId(charge.getChargeId())
                .setChannel(channel)
                .setOutcome(outcome)
                .setAttempts(attempts)
                .setMessage(why)
                .setTime(clock.instant().truncatedTo(ChronoUnit.MILLIS))
                .setKind(KIND)
                .build();
        return new Outgoing<>(
                Topics.DELIVERY_RESULTS, new EntityKey(charge.getCluster(), charge.getChargeId()), result);
    }

    private static String said(DeliveryException e) {
        String text = String.valueOf(e.getMessage());
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE);
    }
}
