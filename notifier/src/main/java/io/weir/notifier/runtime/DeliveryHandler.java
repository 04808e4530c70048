package io.weir.notifier.runtime;

import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.topics.EntityKey;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes notifications to one channel: passes over those that are not for it, makes one attempt at a time at the others,
 * and says what became of each. Owned by its loop; closes the channel.
 */
final class DeliveryHandler implements RecordHandler {

    /** Code of the dead letters that a channel gave up. */
    static final String UNDELIVERED = "UNDELIVERED";

    private static final Logger log = LoggerFactory.getLogger(DeliveryHandler.class);
    private static final int LONGEST_MESSAGE = 1_000;

    private final String channel;
    private final Notifier notifier;
    private final NotificationReader reader;
    private final Routing routing;
    private final RetrySchedule schedule;
    private final DeadLetterFactory deadLetterFactory;
    private final NotifierMetrics.OfChannel metrics;
    private final Clock clock;

    DeliveryHandler(
            String channel,
            Notifier notifier,
            NotificationReader reader,
            Routing routing,
            RetrySchedule schedule,
            DeadLetterFactory deadLetterFactory,
            NotifierMetrics.OfChannel metrics,
            Clock clock) {
        this.channel = channel;
        this.notifier = notifier;
        this.reader = reader;
        this.routing = routing;
        this.schedule = schedule;
        this.deadLetterFactory = deadLetterFactory;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt) throws InterruptedException {
        Delivery delivery;
        try {
            delivery = Delivery.of(reader.read(record));
        } catch (UnusableRecordException e) {
            // The intake reports it, once for all channels.
            return Step.Settled.silently();
        } catch (RegistryUnavailableException e) {
            return new Step.Postpone(schedule.first(), e.toString());
        }
        if (!routing.sends(delivery, channel)) {
            return Step.Settled.silently();
        }
        return attempt(record, delivery, attempt);
    }

    @Override
    public void close() {
        notifier.close();
    }

    private Step attempt(ConsumerRecord<byte[], byte[]> record, Delivery delivery, int attempt)
            throws InterruptedException {
        try {
            Receipt receipt = metrics.timed(() -> notifier.deliver(delivery));
            return delivered(delivery, attempt, receipt);
        } catch (RetriableDeliveryException e) {
            return failed(record, delivery, attempt, said(e), e.retryAfter().orElse(Duration.ZERO));
        } catch (DeliveryException e) {
            return dead(record, delivery, attempt, said(e));
        } catch (RuntimeException e) {
            log.error("deliveryId={} channel={}: the channel itself failed", delivery.id(), channel, e);
            return failed(record, delivery, attempt, shortened(e.toString()), Duration.ZERO);
        }
    }

    private Step delivered(Delivery delivery, int attempt, Receipt receipt) {
        log.debug("deliveryId={} channel={} attempt={}: {}", delivery.id(), channel, attempt, receipt.message());
        metrics.delivered();
        return new Step.Settled(List.of(result(delivery, DeliveryOutcome.DELIVERED, attempt, receipt.message())));
    }

    private Step failed(
            ConsumerRecord<byte[], byte[]> record, Delivery delivery, int attempt, String why, Duration atLeast) {
        Optional<Duration> wait = schedule.waitAfter(attempt, atLeast);
        if (wait.isEmpty()) {
            return dead(record, delivery, attempt, why);
        }
        log.warn(
                "deliveryId={} channel={} attempt={} failed, next in {} s: {}", //
                delivery.id(),
                channel,
                attempt,
                wait.get().toSeconds(),
                why);
        metrics.attemptFailed();
        return new Step.Retry(wait.get());
    }

    private Step dead(ConsumerRecord<byte[], byte[]> record, Delivery delivery, int attempt, String why) {
        log.error("deliveryId={} channel={} given up after attempt={}: {}", delivery.id(), channel, attempt, why);
        metrics.givenUp();
        String message = "channel " + channel + " gave up delivery " + delivery.id() + " after " + attempt
                + (attempt == 1 ? " attempt: " : " attempts: ") + why;
        return new Step.Settled(List.of(
                deadLetterFactory.of(record, UNDELIVERED, message),
                result(delivery, DeliveryOutcome.DEAD, attempt, why)));
    }

    private Outgoing<DeliveryResult> result(Delivery delivery, DeliveryOutcome outcome, int attempts, String message) {
        DeliveryResult result = DeliveryResult.newBuilder()
                .setCluster(delivery.cluster())
                .setDeliveryId(delivery.id())
                .setChannel(channel)
                .setOutcome(outcome)
                .setAttempts(attempts)
                .setMessage(shortened(message))
                .setTime(clock.instant().truncatedTo(ChronoUnit.MILLIS))
                .build();
        return new Outgoing<>(Topics.DELIVERY_RESULTS, new EntityKey(delivery.cluster(), delivery.id()), result);
    }

    private static String said(DeliveryException e) {
        return shortened(e.getMessage() == null ? e.toString() : e.getMessage());
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "…";
    }
}
