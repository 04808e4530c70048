package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.Outgoing;
import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.Step;
import io.weir.notifier.spi.Delivery;
import io.weir.notifier.spi.DeliveryException;
import io.weir.notifier.spi.Notifier;
import io.weir.notifier.spi.Receipt;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.DeliveryResult;
import io.weir.schemas.Notification;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes notifications to one channel: passes over those that are not for it, makes one attempt at a time at the others,
 * and says what became of each. Owned by its loop; closes the channel.
 */
public final class DeliveryHandler implements RecordHandler {

    /** Code of the dead letters that a channel gave up. */
    public static final String UNDELIVERED = "UNDELIVERED";

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
    private final RateWindow rate;

    /** What came of the digests of a holding that were told already, by their ids; empty between holdings. */
    private final Map<String, List<Outgoing<?>>> told = new LinkedHashMap<>();

    public DeliveryHandler(
            String channel,
            Notifier notifier,
            NotificationReader reader,
            Routing routing,
            RetrySchedule schedule,
            Pace pace,
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
        this.rate = new RateWindow(pace, clock);
    }

    @Override
    public boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
        return !notifier.recognisesRepetitions() && rate.holdUntil().isEmpty() && wants(record);
    }

    @Override
    public boolean wants(ConsumerRecord<byte[], byte[]> record) {
        try {
            return sends(record, reader.read(record));
        } catch (UnusableRecordException | RegistryUnavailableException e) {
            return false; // nothing will be attempted
        }
    }

    @Override
    public int mostHeld() {
        return rate.largest();
    }

    @Override
    public boolean holdsOn() {
        return rate.quietUntil().isPresent();
    }

    @Override
    public Step release(List<ConsumerRecord<byte[], byte[]>> records, int attempt, boolean repeated)
            throws InterruptedException {
        List<Delivery> deliveries = new ArrayList<>();
        Map<String, ConsumerRecord<byte[], byte[]>> origins = new HashMap<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                Delivery delivery = Delivery.of(reader.read(record));
                deliveries.add(delivery);
                origins.put(delivery.id(), record);
            }
        } catch (UnusableRecordException e) {
            throw new IllegalStateException("only what can be read is held", e);
        } catch (RegistryUnavailableException e) {
            return new Step.Postpone(schedule.first(), e.toString());
        }
        Map<Delivery, List<Delivery>> groups = new LinkedHashMap<>();
        Digest.groups(deliveries).forEach(group -> groups.put(Digest.of(group), group));
        told.keySet().retainAll(groups.keySet().stream().map(Delivery::id).toList());
        for (Map.Entry<Delivery, List<Delivery>> entry : groups.entrySet()) {
            Delivery digest = entry.getKey();
            List<Delivery> group = entry.getValue();
            if (!told.containsKey(digest.id())) {
                Optional<Instant> silent = rate.silentUntil();
                if (silent.isPresent()) {
                    return later(silent.get());
                }
                return tell(group, digest, origins, attempt, repeated);
            }
        }
        List<Outgoing<?>> outputs = new ArrayList<>();
        told.values().forEach(outputs::addAll);
        told.clear();
        return new Step.Settled(outputs);
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated)
            throws InterruptedException {
        Notification notification;
        try {
            notification = reader.read(record);
        } catch (UnusableRecordException e) {
            // The intake reports it, once for all channels.
            return Step.Settled.silently();
        } catch (RegistryUnavailableException e) {
            return new Step.Postpone(schedule.first(), e.toString());
        }
        if (!sends(record, notification)) {
            return Step.Settled.silently();
        }
        boolean begun = attempt > 1 || repeated;
        Optional<Instant> wait = begun ? rate.quietUntil() : rate.holdUntil();
        if (wait.isPresent()) {
            return begun ? later(wait.get()) : new Step.Hold(wait.get());
        }
        Delivery delivery = Delivery.of(notification);
        boolean mark = repeated && !notifier.recognisesRepetitions();
        return attempt(record, mark ? delivery.repeated() : delivery, attempt);
    }

    private Step later(Instant then) {
        return new Step.More(Duration.between(clock.instant(), then));
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public void close() {
        notifier.close();
    }

    /** What one channel gave up and is sent again is for that channel alone: the others had it. */
    private boolean sends(ConsumerRecord<byte[], byte[]> record, Notification notification) {
        boolean again = FactHeaders.REDRIVEN_FROM.get(record.headers()).isPresent();
        Optional<String> only = again ? FactHeaders.CHANNEL.get(record.headers()) : Optional.empty();
        return only.map(channel::equals).orElseGet(() -> routing.sends(notification, channel));
    }

    private Step attempt(ConsumerRecord<byte[], byte[]> record, Delivery delivery, int attempt)
            throws InterruptedException {
        try {
            Receipt receipt = metrics.timed(() -> notifier.deliver(delivery));
            return delivered(delivery, attempt, receipt);
        } catch (RetriableDeliveryException e) {
            Step step = failed(
                    record, delivery, attempt, said(e), e.retryAfter().orElse(Duration.ZERO), e.mayHaveArrived());
            return e.othersGoOn() && step instanceof Step.Retry retry ? new Step.Aside(retry.pause()) : step;
        } catch (DeliveryException e) {
            return dead(record, delivery, attempt, said(e));
        } catch (RuntimeException e) {
            log.error("deliveryId={} channel={}: the channel itself failed", delivery.id(), channel, e);
            return failed(record, delivery, attempt, shortened(e.toString()), Duration.ZERO, true);
        }
    }

    /** Makes one attempt to tell the recipients of {@code group}; what came of it waits for the other groups. */
    private Step tell(
            List<Delivery> group,
            Delivery digest,
            Map<String, ConsumerRecord<byte[], byte[]>> origins,
            int attempt,
            boolean repeated)
            throws InterruptedException {
        boolean mark = repeated && !notifier.recognisesRepetitions();
        Step step = attempt(
                origins.getOrDefault(
                        group.get(0).id(), origins.values().iterator().next()),
                mark ? digest.repeated() : digest,
                attempt);
        if (!(step instanceof Step.Settled settled)) {
            return step;
        }
        List<Outgoing<?>> outcomes = new ArrayList<>(settled.outputs());
        if (group.size() > 1) {
            boolean dead = settled.outputs().size() > 1;
            outcomes.clear();
            for (Delivery each : group) {
                Delivery marked = mark ? each.repeated() : each;
                if (dead) {
                    outcomes.add(deadLetterFactory.of(
                            Objects.requireNonNull(origins.get(each.id())),
                            UNDELIVERED,
                            "channel " + channel + " gave up the digest " + digest.id() + " that held delivery "
                                    + each.id() + why(settled),
                            channel));
                }
                outcomes.add(result(
                        marked,
                        dead ? DeliveryOutcome.DEAD : DeliveryOutcome.MERGED,
                        attempt,
                        "in the digest " + digest.id()));
            }
        }
        told.put(digest.id(), outcomes);
        return new Step.More(Duration.ZERO);
    }

    /** Says what the last attempt at a digest came to. */
    private static String why(Step.Settled settled) {
        return settled.outputs().stream()
                .map(Outgoing::value)
                .filter(DeliveryResult.class::isInstance)
                .map(result -> ": " + ((DeliveryResult) result).getMessage())
                .findFirst()
                .orElse("");
    }

    private Step delivered(Delivery delivery, int attempt, Receipt receipt) {
        log.debug("deliveryId={} channel={} attempt={}: {}", delivery.id(), channel, attempt, receipt.message());
        metrics.delivered();
        rate.spoke();
        return new Step.Settled(List.of(result(delivery, DeliveryOutcome.DELIVERED, attempt, receipt.message())));
    }

    private Step failed(
            ConsumerRecord<byte[], byte[]> record,
            Delivery delivery,
            int attempt,
            String why,
            Duration atLeast,
            boolean inDoubt) {
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
        return new Step.Retry(wait.get(), inDoubt);
    }

    private Step dead(ConsumerRecord<byte[], byte[]> record, Delivery delivery, int attempt, String why) {
        log.error("deliveryId={} channel={} given up after attempt={}: {}", delivery.id(), channel, attempt, why);
        metrics.givenUp();
        String message = "channel " + channel + " gave up delivery " + delivery.id() + " after " + attempt
                + (attempt == 1 ? " attempt: " : " attempts: ") + why;
        return new Step.Settled(List.of(
                deadLetterFactory.of(record, UNDELIVERED, message, channel),
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
                .setPossibleDuplicate(delivery.possibleDuplicate())
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
