package io.weir.notifier.runtime.handler;

import io.weir.notifier.runtime.loop.RecordHandler;
import io.weir.notifier.runtime.loop.RetrySchedule;
import io.weir.notifier.runtime.loop.Step;
import io.weir.notifier.spi.Action;
import io.weir.notifier.spi.ActionResult;
import io.weir.notifier.spi.Actor;
import io.weir.notifier.spi.RetriableDeliveryException;
import io.weir.schemas.DeliveryOutcome;
import io.weir.schemas.TriggerFiring;
import io.weir.topics.RegistryUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the firings of one action type, or of one lane of it, and answers each once: what has expired, is not allowed or is of a type that
 * nobody carries out is answered without being begun; what a crash interrupted is answered as uncertain, unless it may be
 * repeated. A firing whose answer this process has given before is passed over. Owned by its loop; closes the actor.
 */
public final class FiringHandler implements RecordHandler {

    private static final Logger log = LoggerFactory.getLogger(FiringHandler.class);
    private static final Duration REGISTRY_WAIT = Duration.ofSeconds(5);

    private final FiringTypes types;
    private final Optional<Actor> actor;
    private final RetrySchedule schedule;
    private final FiringReader reader;
    private final DeadLetterFactory deadLetterFactory;
    private final NotifierMetrics metrics;
    private final Clock clock;
    private final FiringAnswers answers;
    private final LengthyActions lengthy;

    /** Answers firings of {@code types}; without an actor they are refused. */
    public FiringHandler(
            FiringTypes types,
            Optional<Actor> actor,
            RetrySchedule schedule,
            FiringReader reader,
            DeadLetterFactory deadLetterFactory,
            NotifierMetrics metrics,
            Clock clock) {
        this.types = types;
        this.actor = actor;
        this.schedule = schedule;
        this.reader = reader;
        this.deadLetterFactory = deadLetterFactory;
        this.metrics = metrics;
        this.clock = clock;
        this.answers = new FiringAnswers(types.channel(), clock);
        this.lengthy = new LengthyActions(types.reader());
    }

    @Override
    public boolean needsMark(ConsumerRecord<byte[], byte[]> record) {
        try {
            TriggerFiring firing = reader.read(record);
            return actor.isPresent()
                    && types.includes(firing.getActionType(), firing.getTriggerId())
                    && !expired(firing);
        } catch (UnusableRecordException | RegistryUnavailableException e) {
            return false; // nothing will be attempted
        }
    }

    @Override
    public Step handle(ConsumerRecord<byte[], byte[]> record, int attempt, boolean repeated)
            throws InterruptedException {
        TriggerFiring firing;
        try {
            firing = reader.read(record);
        } catch (UnusableRecordException e) {
            return unusable(record, e);
        } catch (RegistryUnavailableException e) {
            return new Step.Postpone(REGISTRY_WAIT, e.toString());
        }
        if (!types.includes(firing.getActionType(), firing.getTriggerId()) || answers.given(firing)) {
            return Step.Settled.silently();
        }
        if (actor.isEmpty()) {
            return settled(
                    firing,
                    DeliveryOutcome.REFUSED,
                    0,
                    "notifier.actions does not name " + firing.getActionType() + "; nothing was done");
        }
        if (lengthy.has(id(firing))) {
            return carryOut(actor.get(), firing, attempt, repeated);
        }
        if (repeated && attempt == 1 && !actor.get().repeatable()) {
            actor.get().endRemains(Action.of(firing, true));
            return settled(
                    firing,
                    DeliveryOutcome.UNCERTAIN,
                    1,
                    "the notifier ended while it was being carried out; it is not repeated");
        }
        if (expired(firing)) {
            return settled(firing, DeliveryOutcome.EXPIRED, attempt - 1, "not begun before " + firing.getExpires());
        }
        return carryOut(actor.get(), firing, attempt, repeated);
    }

    @Override
    public boolean isBusy() {
        return lengthy.any();
    }

    @Override
    public void close() {
        lengthy.close();
        actor.ifPresent(Actor::close);
    }

    private Step carryOut(Actor by, TriggerFiring firing, int attempt, boolean repeated) throws InterruptedException {
        try {
            Action action = Action.of(firing, repeated);
            Optional<ActionResult> ended =
                    by.lengthy() ? lengthy.carryOut(id(firing), by, action) : Optional.of(by.carryOut(action));
            if (ended.isEmpty()) {
                return new Step.More(Duration.ZERO);
            }
            ActionResult result = ended.get();
            log.debug("firingId={} attempt={}: {}", firing.getFiringId(), attempt, result.message());
            metrics.acted(types.channel(), outcome(result).name());
            return new Step.Settled(List.of(answers.of(firing, outcome(result), attempt, result, repeated)));
        } catch (RetriableDeliveryException e) {
            return failed(firing, attempt, String.valueOf(e.getMessage()), e.mayHaveArrived());
        } catch (RuntimeException e) {
            log.error("firingId={}: the actor itself failed", firing.getFiringId(), e);
            return settled(firing, DeliveryOutcome.FAILED, attempt, e.toString());
        }
    }

    private Step failed(TriggerFiring firing, int attempt, String why, boolean inDoubt) {
        Optional<Duration> wait = schedule.waitAfter(attempt, Duration.ZERO);
        if (wait.isEmpty()) {
            return settled(firing, DeliveryOutcome.DEAD, attempt, why);
        }
        log.warn(
                "firingId={} attempt={} failed, next in {} s: {}",
                firing.getFiringId(),
                attempt,
                wait.get().toSeconds(),
                why);
        return new Step.Retry(wait.get(), inDoubt);
    }

    private Step settled(TriggerFiring firing, DeliveryOutcome outcome, int attempts, String message) {
        log.warn("firingId={} is answered {}: {}", firing.getFiringId(), outcome, message);
        metrics.acted(types.channel(), outcome.name());
        ActionResult nothing = new ActionResult(
                ActionResult.Outcome.REFUSED, message, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
        return new Step.Settled(List.of(answers.of(firing, outcome, attempts, nothing, false)));
    }

    private Step unusable(ConsumerRecord<byte[], byte[]> record, UnusableRecordException e) {
        if (!types.reportsUnusable()) {
            return Step.Settled.silently();
        }
        log.warn(
                "to the dead letters: topic={} partition={} offset={} cause={}: {}", //
                record.topic(),
                record.partition(),
                record.offset(),
                e.code(),
                e.why());
        metrics.unusable(e.code());
        return new Step.Settled(List.of(deadLetterFactory.of(record, e.code(), e.why())));
    }

    private static String id(TriggerFiring firing) {
        return firing.getCluster() + "\n" + firing.getFiringId();
    }

    private boolean expired(TriggerFiring firing) {
        return firing.getExpires() != null && !clock.instant().isBefore(firing.getExpires());
    }

    private static DeliveryOutcome outcome(ActionResult result) {
        return switch (result.outcome()) {
            case DONE -> DeliveryOutcome.DELIVERED;
            case FAILED -> DeliveryOutcome.FAILED;
            case REFUSED -> DeliveryOutcome.REFUSED;
        };
    }
}
