package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.stream.DeadLetters.Cause;
import io.weir.scheduler.stream.pacing.Pacing;
import io.weir.scheduler.stream.quarantine.CurrentStep;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicion;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.quarantine.TaskStep;
import io.weir.scheduler.stream.quarantine.Trial;
import io.weir.scheduler.stream.store.Stores;
import io.weir.scheduler.stream.waiting.Parking;
import io.weir.scheduler.stream.waiting.Parking.Parked;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TopicCount;
import io.weir.schemas.bound.Bound;
import io.weir.schemas.bound.Limit;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the facts of one cluster: they are applied, wait for nodes or for their epoch, become dead letters, or are
 * set aside as what the scheduler fails on. Owned by the stream thread.
 */
final class FactIntake {
    /** The core's cause for a report that names nodes it does not know: the one rejection that may heal. */
    static final String UNKNOWN_NODE = "UNKNOWN_NODE";

    private static final Bound.Prose NAME = new Bound.Prose(Limit.NAME_LENGTH, false);
    private static final Bound.Prose NOTE = new Bound.Prose(Limit.NOTE_LENGTH, true);

    private final ClusterTask task;
    private final DeadLetters deadLetters;
    private final AvroCodec codec;
    private final StreamMetrics metrics;
    private final String build;
    private final int partition;
    private final Suspicions suspicions;
    private final CurrentStep step;
    private final Supplier<Instant> system;
    private final Parking parking;
    private final Trial trial;
    private final IterationRunner iterations;

    /**
     * Creates the intake of {@code task}'s facts.
     *
     * @param pacing says when there is time for an iteration
     * @param system this machine's time
     * @param rmTime the latest time a resource manager told; null when none has
     */
    FactIntake(
            ClusterTask task,
            Stores stores,
            DeadLetters deadLetters,
            AvroCodec codec,
            StreamMetrics metrics,
            StreamSettings settings,
            int partition,
            Suspicions suspicions,
            CurrentStep step,
            Function<String, ClusterScheduler> cores,
            OutputLimits limits,
            Pacing pacing,
            Supplier<Instant> system,
            Supplier<@Nullable Instant> rmTime) {
        this.task = task;
        this.deadLetters = deadLetters;
        this.codec = codec;
        this.metrics = metrics;
        this.build = settings.build();
        this.partition = partition;
        this.suspicions = suspicions;
        this.step = step;
        this.system = system;
        this.parking = new Parking(task.cluster(), stores);
        this.trial = new Trial(task::snapshot, () -> cores.apply(task.cluster()), limits);
        this.iterations = new IterationRunner(
                task,
                settings,
                suspicions,
                step,
                cores,
                limits,
                system,
                rmTime,
                trial,
                pacing,
                this::apply,
                metrics.standingTime());
    }

    /** Returns the facts that wait. */
    Parking parking() {
        return parking;
    }

    /** Returns what runs the iterations. */
    IterationRunner iterations() {
        return iterations;
    }

    /**
     * Applies a fact, has it wait, or makes a dead letter of it.
     *
     * @param sequence its number on its topic; 0 without a connector
     */
    void settle(Input input, Fact fact, long sequence) {
        if (fact.record() instanceof JobReport job && parking.isWaiting(job.getJobId())) {
            park(input, fact, sequence, false);
            return;
        }
        Optional<Rejection> rejection = check(input, fact);
        if (rejection.isEmpty()) {
            apply(input, fact);
        } else if (fact.record() instanceof JobReport && rejection.get().cause().equals(UNKNOWN_NODE)) {
            park(input, fact, sequence, false);
        } else {
            reject(input, rejection.get());
        }
    }

    /** Has a fact wait, for its epoch or for the nodes it names. */
    void park(Input input, Fact fact, long sequence, boolean awaitsEpoch) {
        if (parking.hasRoom(input, awaitsEpoch)) {
            parking.park(input, fact, sequence, awaitsEpoch);
        } else {
            reject(
                    input,
                    Cause.NO_ROOM,
                    "It would have to wait for " + (awaitsEpoch ? "its epoch" : "the nodes it names") + ", and "
                            + parking.size() + " others wait already; send it again once these are done");
        }
    }

    /** Applies a fact that was checked. */
    void apply(Input input, Fact fact) {
        List<Change> changes = task.apply(input, fact);
        trial.applied(fact);
        if (fact.record() instanceof Request request && request.getKind() == RequestKind.CONTROL_SCHEDULER) {
            suspicions.resume(task.cluster());
        }
        iterations.applied(fact, changes);
        if (fact.record() instanceof NodeReport node && !parking.isEmpty()) {
            parking.jobsNaming(node.getNodeId()).forEach(this::retry);
        }
    }

    /** Applies the waiting reports of a job as far as the nodes they name are known by now. */
    private void retry(String jobId) {
        for (Parked entry : parking.reportsOf(jobId)) {
            Optional<Rejection> rejection = check(entry.input(), entry.fact());
            if (rejection.isPresent() && rejection.get().cause().equals(UNKNOWN_NODE)) {
                return;
            }
            decide(entry, rejection);
        }
    }

    /** Ends the waiting of a fact: it is applied, or rejected. */
    private void decide(Parked entry, Optional<Rejection> rejection) {
        parking.remove(entry);
        if (rejection.isPresent()) {
            reject(entry.input(), rejection.get());
        } else {
            apply(entry.input(), entry.fact());
        }
    }

    /** The poll is over: a report it counts that still names an unknown node is not going to be understood. */
    void settleCounted(String connector, Heartbeat heartbeat) {
        if (parking.isEmpty()) {
            return;
        }
        long counted = heartbeat.getCounts().stream()
                .filter(count -> count.getTopic().equals(Topics.RM_JOBS.name()))
                .mapToLong(TopicCount::getCount)
                .findFirst()
                .orElse(0);
        for (Parked entry : parking.list(waiting -> !waiting.awaitsEpoch()
                && (waiting.fact().connector() == null
                        || (waiting.isOf(connector) && waiting.sequence() <= counted)))) {
            decide(entry, check(entry.input(), entry.fact()));
        }
    }

    /**
     * Notes in the journal that facts of {@code connector} are missing: the next iteration asks for a full poll. Its name may
     * come from a header, which has no bound of its own.
     */
    void askForEverything(String connector, String message) {
        Instant at = system.get();
        String named = NAME.cut(connector);
        GenericEvent gap =
                new GenericEvent(task.cluster(), "gap", "rm", named, NOTE.cut(message), at, Input.INTAKE, true, null);
        byte[] value = codec.encode(Topics.MONITORING_EVENTS, gap);
        apply(made(Input.INTAKE, named, at, value), Fact.foreign(gap));
    }

    /** Makes a dead letter of an input the scheduler fails on, and notes that in the journal. */
    void setAside(Input input, Suspicion suspicion) {
        reject(input, Cause.QUARANTINED, suspicion.text());
        apply(new Quarantine(
                task.cluster(),
                QuarantineKind.INPUT,
                input.toString(),
                suspicion.cause(),
                suspicion.message(),
                system.get(),
                build,
                false));
    }

    /** Notes in the journal what is set aside, or no longer. */
    void apply(Quarantine quarantine) {
        metrics.quarantined(quarantine);
        byte[] value = codec.encode(IntakeRecords.QUARANTINE, quarantine);
        Input input = made(IntakeRecords.QUARANTINE.name(), quarantine.getId(), quarantine.getTime(), value);
        apply(input, Fact.foreign(quarantine));
    }

    /** Returns an input that intake itself makes. */
    private Input made(String topic, String entity, Instant at, byte[] value) {
        return new Input(
                topic,
                partition,
                Input.NO_OFFSET,
                at.toEpochMilli(),
                new RecordHeaders(),
                new EntityKey(task.cluster(), entity).toBytes(),
                value);
    }

    void reject(Input input, Cause cause, String message) {
        deadLetters.write(input, task.cluster(), cause, message);
    }

    /** Makes a dead letter of a fact that was rejected. */
    void reject(Input input, Rejection rejection) {
        Optional<Suspicion> verdict = suspicions.verdict(input);
        if (verdict.isPresent()) {
            setAside(input, verdict.get());
        } else {
            deadLetters.write(input, task.cluster(), rejection.cause(), rejection.message());
        }
    }

    /** Says why {@code input} will not be applied: because of itself, or because the scheduler fails on it. */
    Optional<Rejection> check(Input input, Fact fact) {
        step.set(new TaskStep.Applying(task.cluster(), input));
        if (suspicions.isWary(task.cluster())) {
            trial.attempt(fact).ifPresent(failure -> suspicions.convict(task.cluster(), input, failure));
        }
        Optional<Suspicion> verdict = suspicions.verdict(input);
        return verdict.isPresent()
                ? Optional.of(
                        new Rejection(Cause.QUARANTINED.name(), verdict.get().text()))
                : task.check(fact);
    }
}
