package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.core.state.EntityKind;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.HeldHeartbeat;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.stream.DeadLetters.Cause;
import io.weir.scheduler.stream.Parking.Parked;
import io.weir.schemas.CommandResult;
import io.weir.schemas.GenericEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.Quarantine;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Request;
import io.weir.schemas.RequestKind;
import io.weir.schemas.TopicCount;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Intake of one cluster, behind decoding: epochs, duplicates, completeness of heartbeats, reports that have to wait, and
 * when an iteration is due. Facts are applied as they come; a heartbeat is applied, and answered by an iteration, when
 * every fact it counts has come. Owned by the stream thread.
 *
 * <pre>
 *   fact ──► epoch in force? ──older──► dropped          heartbeat ──► held ──counts reached──► applied, iteration
 *                │  └──newer──► parked until its HELLO                   └──facts lost──► INCOMPLETE, gap, iteration
 *              next number? ──repeated──► dropped
 *                │
 *             core.check ──unknown node──► parked until the node, or the heartbeat that counts it
 *                │   └──other──► dead letter
 *              applied
 * </pre>
 */
final class ClusterIntake {
    private static final Logger log = LoggerFactory.getLogger(ClusterIntake.class);

    /** The core's cause for a report that names nodes it does not know: the one rejection that may heal. */
    static final String UNKNOWN_NODE = "UNKNOWN_NODE";

    private final ClusterTask task;
    private final Stores stores;
    private final DeadLetters deadLetters;
    private final AvroCodec codec;
    private final StreamMetrics metrics;
    private final StreamSettings settings;
    private final DomainClock clock;
    private final int partition;
    private final Suspicions suspicions;
    private final CurrentStep step;
    private final Function<String, ClusterScheduler> cores;
    private final OutputLimits limits;
    private final Supplier<Instant> system;
    private final Parking parking;
    private final Trial trial;
    private final SortedMap<String, ConnectorGate> gates = new TreeMap<>();
    private final List<ConnectorGate> movedGates = new ArrayList<>();
    /** Wall clock: when the first urgent fact since the last iteration came; null when none has. */
    private @Nullable Instant urgentSince;

    /**
     * Creates the intake of {@code task}.
     *
     * @param cores makes the empty core of a cluster
     * @param limits how large records may be
     * @param system this machine's time
     */
    ClusterIntake(
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
            Supplier<Instant> system) {
        this.task = task;
        this.stores = stores;
        this.deadLetters = deadLetters;
        this.codec = codec;
        this.metrics = metrics;
        this.settings = settings;
        this.partition = partition;
        this.suspicions = suspicions;
        this.step = step;
        this.cores = cores;
        this.limits = limits;
        this.clock = new DomainClock(settings.clock(), settings.maxSkew());
        this.system = system;
        this.parking = new Parking(task.cluster(), stores);
        this.trial = new Trial(task::snapshot, () -> cores.apply(task.cluster()), limits);
    }

    /** Takes up again what the stores held; {@code decoder} reads the records that wait. */
    void restore(StoredState.OfCluster stored, InputDecoder decoder) {
        for (ConnectorIntake connector : stored.connectors()) {
            List<ConnectorGate.Held> held = new ArrayList<>();
            for (HeldHeartbeat waiting : connector.getHeld()) {
                Input input = WaitingInputs.restore(waiting.getInput());
                held.add(new ConnectorGate.Held(input, (Heartbeat) decoder.decode(input), system.get()));
            }
            gates.put(connector.getConnector(), new ConnectorGate(connector, held));
        }
        for (ParkedFact parked : stored.parked()) {
            Input input = WaitingInputs.restore(parked.getInput());
            parking.restore(parked, input, Facts.of(input, decoder.decode(input)));
        }
        if (task.chain().newInputs() > 0) {
            urgentSince = system.get();
        }
    }

    /** Takes a record that belongs to no connector. */
    void foreign(Input input, SpecificRecord value) {
        settle(input, Fact.foreign(value), 0);
    }

    /** Takes a record of a connector, other than a heartbeat; {@code heartbeatOffset} is the last heartbeat's seen. */
    void fact(Input input, Fact fact, String connector, long heartbeatOffset) {
        OptionalLong sequence = FactHeaders.SEQUENCE.get(input.headers());
        if (fact.epoch() < 0 || sequence.orElse(0) < 1) {
            reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Epoch or sequence is missing or out of range; a fact needs "
                            + FactHeaders.EPOCH.name() + " and " + FactHeaders.SEQUENCE.name() + " beside "
                            + FactHeaders.CONNECTOR.name());
            return;
        }
        if (fact.record() instanceof CommandResult result
                && !result.getConnector().equals(connector)) {
            reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Connector '" + result.getConnector() + "' in the record, '" + connector + "' in the header "
                            + FactHeaders.CONNECTOR.name());
            return;
        }
        @Nullable ConnectorGate gate = gates.get(connector);
        if (gate == null || fact.epoch() > gate.epoch()) {
            early(input, fact, sequence.getAsLong(), heartbeatOffset);
            return;
        }
        if (fact.epoch() < gate.epoch()) {
            metrics.stale(1);
            log.debug("Dropped, older epoch: input={} epoch={} inForce={}", input, fact.epoch(), gate.epoch());
        } else if (gate.isDuplicate(input.topic(), sequence.getAsLong())) {
            metrics.duplicate();
            log.debug("Dropped, duplicate: input={} sequence={}", input, sequence.getAsLong());
        } else {
            gate.receive(input.topic(), sequence.getAsLong());
            moved(gate);
            settle(input, fact, sequence.getAsLong());
            release(gate);
        }
    }

    /**
     * Takes a dead letter of a connector that was sent again. It was counted when it came first, so its number says
     * nothing now. A command's result counts whenever it comes. What a connector says of a node or a job is older than
     * what it said since: it is not applied, and the connector asked for everything anew.
     */
    void redriven(Input input, Fact fact, String connector) {
        if (fact.record() instanceof Heartbeat) {
            reject(input, Cause.BAD_HEADERS, "A heartbeat cannot be sent again; the connector's next one counts");
        } else if (fact.record() instanceof CommandResult result) {
            if (result.getConnector().equals(connector)) {
                settle(input, fact, 0);
            } else {
                reject(
                        input,
                        Cause.BAD_HEADERS,
                        "Connector '" + result.getConnector() + "' in the record, '" + connector + "' in the header "
                                + FactHeaders.CONNECTOR.name());
            }
        } else {
            askForEverything(
                    connector,
                    "A report of connector '" + connector + "' was sent again, from "
                            + FactHeaders.REDRIVEN_FROM.get(input.headers()).orElse("") + "; a full poll is asked for");
        }
    }

    /** Takes a HELLO or a heartbeat. */
    void heartbeat(Input input, Fact fact, Heartbeat heartbeat, String connector) {
        if (!heartbeat.getConnector().equals(connector)) {
            reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Connector '" + heartbeat.getConnector() + "' in the record, '" + connector + "' in the header "
                            + FactHeaders.CONNECTOR.name());
            return;
        }
        switch (heartbeat.getKind()) {
            case HELLO -> hello(input, fact, connector);
            case HEARTBEAT -> poll(input, fact, heartbeat, connector);
            case UNKNOWN ->
                reject(input, Cause.UNDECODABLE, "Kind of heartbeat this build does not know; upgrade the scheduler");
        }
    }

    /** Counts a record that was rejected before it got here: it was a fact of its epoch none the less. */
    void countRejected(Input input) {
        Optional<String> connector = FactHeaders.CONNECTOR.get(input.headers());
        OptionalLong epoch = FactHeaders.EPOCH.get(input.headers());
        OptionalLong sequence = FactHeaders.SEQUENCE.get(input.headers());
        if (connector.isEmpty()
                || epoch.isEmpty()
                || sequence.isEmpty()
                || input.topic().equals(Topics.RM_HEARTBEATS.name())) {
            return;
        }
        @Nullable ConnectorGate gate = gates.get(connector.get());
        if (gate != null && gate.epoch() == epoch.getAsLong() && gate.isNext(input.topic(), sequence.getAsLong())) {
            gate.receive(input.topic(), sequence.getAsLong());
            moved(gate);
            release(gate);
        }
    }

    /** Decides about facts whose epoch can no longer be opened, now that heartbeats up to {@code offset} were seen. */
    void settleEpochs(long offset) {
        if (parking.isEmpty()) {
            return;
        }
        for (Parked entry :
                parking.list(waiting -> waiting.awaitsEpoch() && waiting.fact().epoch() <= offset)) {
            parking.remove(entry);
            unopened(entry.input(), entry.fact());
        }
    }

    /** Gives up what waited too long and runs what is due; called every few milliseconds. */
    void tick() {
        Instant at = system.get();
        for (ConnectorGate gate : gates.values()) {
            giveUp(gate, at);
        }
        if (clock.mode() == ClockMode.WALL) {
            iterateIfDue(at);
        }
    }

    /** Stores what moved since the last call. */
    void flush() {
        for (ConnectorGate gate : movedGates) {
            stores.put(gate.toRecord());
        }
        movedGates.clear();
        task.flush();
    }

    int heldCount() {
        return gates.values().stream().mapToInt(ConnectorGate::heldCount).sum();
    }

    int parkedCount() {
        return parking.size();
    }

    /** Returns how many objects are set aside. */
    int setAsideCount() {
        return task.setAsideCount();
    }

    private void hello(Input input, Fact fact, String connector) {
        long epoch = input.offset();
        @Nullable ConnectorGate known = gates.get(connector);
        if (known != null && epoch <= known.epoch()) {
            metrics.duplicate();
            return;
        }
        Optional<Rejection> rejection = check(input, fact);
        if (rejection.isPresent()) {
            reject(input, rejection.get());
            return;
        }
        for (Parked entry : parking.list(
                waiting -> waiting.isOf(connector) && waiting.fact().epoch() < epoch)) {
            parking.remove(entry);
            metrics.stale(1);
        }
        ConnectorGate gate = known == null ? new ConnectorGate(task.cluster(), connector, epoch) : known;
        metrics.stale(gate.heldCount());
        gate.open(epoch);
        gates.put(connector, gate);
        moved(gate);
        log.info("Epoch opened: domain={} connector={} epoch={}", task.cluster(), connector, epoch);
        apply(input, fact);
        for (Parked entry : parking.list(waiting -> waiting.awaitsEpoch()
                && waiting.isOf(connector)
                && waiting.fact().epoch() == epoch)) {
            parking.remove(entry);
            fact(entry.input(), entry.fact(), connector, epoch);
        }
    }

    private void poll(Input input, Fact fact, Heartbeat heartbeat, String connector) {
        long sequence = FactHeaders.SEQUENCE.get(input.headers()).orElse(-1);
        if (fact.epoch() < 0 || sequence != heartbeat.getNumber() || sequence < 1) {
            reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Heartbeat " + heartbeat.getNumber() + " with epoch " + fact.epoch() + " and "
                            + FactHeaders.SEQUENCE.name() + " " + sequence + "; the last has to be its number");
            return;
        }
        @Nullable ConnectorGate gate = gates.get(connector);
        if (gate == null || fact.epoch() > gate.epoch()) {
            unopened(input, fact);
        } else if (fact.epoch() < gate.epoch()) {
            metrics.stale(1);
        } else if (gate.isRepeated(heartbeat)) {
            metrics.duplicate();
        } else {
            Optional<Rejection> rejection = check(input, fact);
            if (rejection.isPresent()) {
                reject(input, rejection.get());
                return;
            }
            if (gate.isFull()) {
                finish(gate, gate.firstHeld().orElseThrow());
            }
            gate.hold(new ConnectorGate.Held(input, heartbeat, system.get()));
            moved(gate);
            release(gate);
        }
    }

    /** A fact of an epoch that is not open: its HELLO is still to come on the other topic, or never will. */
    private void early(Input input, Fact fact, long sequence, long heartbeatOffset) {
        if (fact.epoch() > heartbeatOffset) {
            park(input, fact, sequence, true);
        } else {
            unopened(input, fact);
        }
    }

    private void unopened(Input input, Fact fact) {
        reject(
                input,
                Cause.UNKNOWN_EPOCH,
                "Epoch " + fact.epoch() + " of connector '" + fact.connector()
                        + "': there is no HELLO at that offset of " + Topics.RM_HEARTBEATS.name()
                        + "; restart the connector");
    }

    private void settle(Input input, Fact fact, long sequence) {
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

    private void park(Input input, Fact fact, long sequence, boolean awaitsEpoch) {
        if (parking.hasRoom(input)) {
            parking.park(input, fact, sequence, awaitsEpoch);
        } else {
            reject(
                    input,
                    Cause.NO_ROOM,
                    "It would have to wait for " + (awaitsEpoch ? "its epoch" : "the nodes it names") + ", and "
                            + parking.size() + " others wait already; send it again once these are done");
        }
    }

    private void apply(Input input, Fact fact) {
        List<Change> changes = task.apply(input, fact);
        trial.applied(fact);
        if (fact.record() instanceof Request request && request.getKind() == RequestKind.CONTROL_SCHEDULER) {
            suspicions.resume(task.cluster());
        }
        if (urgentSince == null && isUrgent(fact, changes)) {
            urgentSince = system.get();
        }
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

    private void decide(Parked entry, Optional<Rejection> rejection) {
        parking.remove(entry);
        if (rejection.isPresent()) {
            reject(entry.input(), rejection.get());
        } else {
            apply(entry.input(), entry.fact());
        }
    }

    /** Lets go every held heartbeat whose facts have come. */
    private void release(ConnectorGate gate) {
        while (gate.firstHeld().filter(held -> gate.isReached(held.heartbeat())).isPresent()) {
            finish(gate, gate.firstHeld().get());
        }
    }

    private void giveUp(ConnectorGate gate, Instant at) {
        while (gate.firstHeld().isPresent()) {
            ConnectorGate.Held held = gate.firstHeld().get();
            if (!gate.isReached(held.heartbeat())
                    && Duration.between(held.since(), at).compareTo(settings.gapTimeout()) < 0) {
                return;
            }
            finish(gate, held);
        }
    }

    private void finish(ConnectorGate gate, ConnectorGate.Held held) {
        gate.removeFirstHeld();
        moved(gate);
        Heartbeat heartbeat = held.heartbeat();
        Fact fact = Facts.of(held.input(), heartbeat);
        settleCounted(gate, heartbeat);
        Optional<String> missing = gate.missing(heartbeat);
        if (missing.isPresent()) {
            incomplete(gate, held, missing.get());
        } else {
            Optional<Rejection> rejection = check(held.input(), fact);
            if (rejection.isPresent()) {
                reject(held.input(), rejection.get());
                return;
            }
            gate.completed(heartbeat);
            apply(held.input(), fact);
        }
        iterate(
                clock.mode() == ClockMode.RM ? heartbeat.getRmTime() : system.get(),
                IterationTrigger.HEARTBEAT,
                new HeartbeatReference(gate.connector(), gate.epoch(), heartbeat.getNumber()));
    }

    /** The poll is over: a report it counts that still names an unknown node is not going to be understood. */
    private void settleCounted(ConnectorGate gate, Heartbeat heartbeat) {
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
                        || (waiting.isOf(gate.connector()) && waiting.sequence() <= counted)))) {
            decide(entry, check(entry.input(), entry.fact()));
        }
    }

    /** A heartbeat whose facts are lost says nothing reliable: it is passed over, answered, and a full poll asked for. */
    private void incomplete(ConnectorGate gate, ConnectorGate.Held held, String missing) {
        String message = "Heartbeat " + held.heartbeat().getNumber() + " of connector '" + gate.connector()
                + "' counts facts that never came: " + missing + "; a full poll is asked for";
        gate.forgetMissing(held.heartbeat());
        deadLetters.write(held.input(), task.cluster(), Cause.INCOMPLETE, message);
        metrics.gap();
        askForEverything(gate.connector(), message);
    }

    private void askForEverything(String connector, String message) {
        Instant at = system.get();
        GenericEvent gap = new GenericEvent(task.cluster(), "gap", "rm", connector, message, at, Input.INTAKE);
        byte[] value = codec.encode(Topics.MONITORING_EVENTS, gap);
        apply(made(Input.INTAKE, connector, at, value), Fact.foreign(gap));
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
                settings.build(),
                false));
    }

    private void apply(Quarantine quarantine) {
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

    private void iterateIfDue(Instant at) {
        @Nullable Instant urgent = urgentSince;
        @Nullable Instant wake = task.chain().nextWake();
        @Nullable Instant last = task.chain().now();
        if (urgent != null && Duration.between(urgent, at).compareTo(settings.coalesce()) >= 0) {
            iterate(at, IterationTrigger.EVENT, null);
        } else if (wake != null
                && (last == null || wake.isAfter(last))
                && !clock.now(at, rmTime(), last).isBefore(wake)) {
            iterate(at, IterationTrigger.WAKE, null);
        }
    }

    private void iterate(Instant at, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        @Nullable Instant rmTime = clock.mode() == ClockMode.RM ? at : rmTime();
        Instant now = clock.now(at, rmTime, task.chain().now());
        if (prepare(now)) {
            long number = task.chain().iteration() + 1;
            step.set(new TaskStep.Iterating(task.cluster(), number));
            task.iterate(now, trigger, answers);
            trial.changed();
            step.set(TaskStep.NONE);
            suspicions.iterated(task.cluster(), number);
        }
        urgentSince = suspicions.isUnfinished(task.cluster()) ? at : null;
    }

    /**
     * After a failure sets aside what the next iteration would fail on. What another build failed on gets another chance.
     *
     * @return whether there is to be an iteration
     */
    private boolean prepare(Instant now) {
        if (suspicions.halted(task.cluster()).isPresent()) {
            return false;
        }
        for (Quarantine quarantine : task.quarantined()) {
            boolean mended = !quarantine.getBuild().equals(settings.build());
            if (mended && quarantine.getKind() != QuarantineKind.JOB) {
                apply(Quarantine.newBuilder(quarantine)
                        .setCause("")
                        .setMessage("build " + settings.build() + " runs, " + quarantine.getBuild() + " failed")
                        .setTime(system.get())
                        .setBuild(settings.build())
                        .setLifted(true)
                        .build());
            }
        }
        if (!suspicions.isSuspect(task.cluster())) {
            return true;
        }
        step.set(TaskStep.NONE);
        try {
            Diagnosis.Finding finding = new Diagnosis(
                            task.cluster(), task::snapshot, cores, limits, now, settings.build(), Diagnosis.LONGEST)
                    .run(suspicions.isPatient(task.cluster()));
            finding.aside().forEach(this::apply);
            if (!finding.aside().isEmpty()) {
                suspicions.found(task.cluster(), task.chain().iteration() + 1, finding.complete());
            }
            return finding.complete();
        } catch (Diagnosis.HopelessException e) {
            suspicions.halt(task.cluster(), e);
            return false;
        }
    }

    private @Nullable Instant rmTime() {
        @Nullable Instant latest = null;
        for (ConnectorGate gate : gates.values()) {
            @Nullable Instant time = gate.rmTime();
            if (time != null && (latest == null || time.isAfter(latest))) {
                latest = time;
            }
        }
        return latest;
    }

    private boolean isUrgent(Fact fact, List<Change> changes) {
        if (clock.mode() != ClockMode.WALL || fact.record() instanceof Heartbeat) {
            return false;
        }
        if (fact.record() instanceof NodeReport node) {
            return node.getFailing() || node.getState() == NodeState.DOWN || node.getState() == NodeState.REMOVED;
        }
        return !(fact.record() instanceof JobReport)
                || changes.stream().anyMatch(change -> change.kind() == EntityKind.JOB);
    }

    private void reject(Input input, Cause cause, String message) {
        deadLetters.write(input, task.cluster(), cause, message);
    }

    private void reject(Input input, Rejection rejection) {
        Optional<Suspicion> verdict = suspicions.verdict(input);
        if (verdict.isPresent()) {
            setAside(input, verdict.get());
        } else {
            deadLetters.write(input, task.cluster(), rejection.cause(), rejection.message());
        }
    }

    /** Says why {@code input} will not be applied: because of itself, or because the scheduler fails on it. */
    private Optional<Rejection> check(Input input, Fact fact) {
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

    private void moved(ConnectorGate gate) {
        if (!movedGates.contains(gate)) {
            movedGates.add(gate);
        }
    }
}
