package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.Numbering;
import io.weir.scheduler.state.ConnectorIntake;
import io.weir.scheduler.state.HeldHeartbeat;
import io.weir.scheduler.state.ParkedFact;
import io.weir.scheduler.stream.DeadLetters.Cause;
import io.weir.scheduler.stream.pacing.Pacing;
import io.weir.scheduler.stream.pacing.ReadingClock;
import io.weir.scheduler.stream.quarantine.CurrentStep;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicion;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.store.StoredState;
import io.weir.scheduler.stream.store.Stores;
import io.weir.scheduler.stream.waiting.ConnectorGate;
import io.weir.scheduler.stream.waiting.Parking;
import io.weir.scheduler.stream.waiting.Parking.Parked;
import io.weir.scheduler.stream.waiting.RivalConnectors;
import io.weir.scheduler.stream.waiting.WaitingInputs;
import io.weir.schemas.CommandResult;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.JobReport;
import io.weir.schemas.NodeReport;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Intake of one cluster, behind decoding: epochs, duplicates and completeness of heartbeats. Facts are handed on as they
 * come; a heartbeat is applied, and answered by an iteration, when every fact it counts has come. Owned by the stream
 * thread.
 *
 * <p>The file is long because it is one state machine: whether a record is dropped, held, parked or applied depends on the
 * same gates, and each step may let others go.
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

    private final ClusterTask task;
    private final Stores stores;
    private final DeadLetters deadLetters;
    private final StreamMetrics metrics;
    private final StreamSettings settings;
    private final Supplier<Instant> system;
    /** By which facts are waited for. */
    private final ReadingClock reading;

    private final FactIntake facts;
    private final Parking parking;
    private final IterationRunner iterations;
    private final SortedMap<String, ConnectorGate> gates = new TreeMap<>();
    private final RivalConnectors rivals = new RivalConnectors();

    /**
     * Creates the intake of {@code task}.
     *
     * @param cores makes the empty core of a cluster
     * @param limits how large records may be
     * @param pacing says when there is time for an iteration
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
            Pacing pacing,
            Supplier<Instant> system) {
        this.task = task;
        this.stores = stores;
        this.deadLetters = deadLetters;
        this.metrics = metrics;
        this.settings = settings;
        this.system = system;
        this.reading = new ReadingClock(system, pacing::spent);
        this.facts = new FactIntake(
                task,
                stores,
                deadLetters,
                codec,
                metrics,
                settings,
                partition,
                suspicions,
                step,
                cores,
                limits,
                pacing,
                system,
                this::rmTime);
        this.parking = facts.parking();
        this.iterations = facts.iterations();
    }

    /** Takes up again what the stores held; {@code decoder} reads the records that wait. */
    void restore(StoredState.OfCluster stored, InputDecoder decoder) {
        for (ConnectorIntake connector : stored.connectors()) {
            List<ConnectorGate.Held> held = new ArrayList<>();
            for (HeldHeartbeat waiting : connector.getHeld()) {
                Input input = WaitingInputs.restore(waiting.getInput());
                held.add(ConnectorGate.Held.since(reading.now(), input, (Heartbeat) decoder.decode(input)));
            }
            gates.put(connector.getConnector(), new ConnectorGate(connector, held));
        }
        for (ParkedFact parked : stored.parked()) {
            Input input = WaitingInputs.restore(parked.getInput());
            parking.restore(parked, input, Facts.of(input, decoder.decode(input)));
        }
        if (task.chain().newInputs() > 0) {
            iterations.hurry();
        }
    }

    /** Takes a record that belongs to no connector. */
    void foreign(Input input, SpecificRecord value) {
        facts.settle(input, Fact.foreign(value), 0);
    }

    /** Takes a record of a connector, other than a heartbeat; {@code heartbeatOffset} is the last heartbeat's seen. */
    void fact(Input input, Fact fact, String connector, long heartbeatOffset) {
        OptionalLong sequence = FactHeaders.SEQUENCE.get(input.headers());
        if (fact.epoch() < 0 || sequence.orElse(0) < 1) {
            facts.reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Epoch or sequence is missing or out of range; a fact needs "
                            + FactHeaders.EPOCH.name() + " and " + FactHeaders.SEQUENCE.name() + " beside "
                            + FactHeaders.CONNECTOR.name());
            return;
        }
        if (fact.record() instanceof CommandResult result
                && !result.getConnector().equals(connector)) {
            facts.reject(
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
        } else if (sequence.getAsLong() > gate.highest(input.topic(), input.offset())) {
            facts.reject(
                    input,
                    Cause.BAD_HEADERS,
                    FactHeaders.SEQUENCE.name() + " " + sequence.getAsLong() + " of connector '" + connector
                            + "'; at most " + gate.highest(input.topic(), input.offset())
                            + " can have been reached here by counting the facts written; if it writes no others,"
                            + " restart the connector");
        } else {
            gate.receive(input.topic(), new Numbering(sequence.getAsLong(), input.offset()), reading.now());
            moved(gate);
            tellRivals(fact, connector);
            facts.settle(input, fact, sequence.getAsLong());
            release(gate);
        }
    }

    private void tellRivals(Fact fact, String connector) {
        Optional<String> object = Optional.empty();
        if (fact.record() instanceof NodeReport node) {
            object = Optional.of("node " + node.getNodeId());
        } else if (fact.record() instanceof JobReport job) {
            object = Optional.of("job " + job.getJobId());
        }
        object.ifPresent(reported -> rivals.reported(reported, connector)
                .ifPresent(other -> log.warn(
                        "Connectors {} and {} of cluster {} report the same in turns, such as {}: one resource manager needs"
                                + " one connector. Stop one of them, or give both the same connector.id, so that the"
                                + " later one replaces the other",
                        connector,
                        other,
                        task.cluster(),
                        reported)));
    }

    /**
     * Takes a dead letter of a connector that was sent again. It was counted when it came first, so its number says
     * nothing now. A command's result counts whenever it comes. What a connector says of a node or a job is older than
     * what it said since: it is not applied, and the connector asked for everything anew.
     */
    void redriven(Input input, Fact fact, String connector) {
        if (fact.record() instanceof Heartbeat) {
            facts.reject(input, Cause.BAD_HEADERS, "A heartbeat cannot be sent again; the connector's next one counts");
        } else if (fact.record() instanceof CommandResult result) {
            if (result.getConnector().equals(connector)) {
                facts.settle(input, fact, 0);
            } else {
                facts.reject(
                        input,
                        Cause.BAD_HEADERS,
                        "Connector '" + result.getConnector() + "' in the record, '" + connector + "' in the header "
                                + FactHeaders.CONNECTOR.name());
            }
        } else {
            facts.askForEverything(
                    connector,
                    "A report of connector '" + connector + "' was sent again, from "
                            + FactHeaders.REDRIVEN_FROM.get(input.headers()).orElse("") + "; a full poll is asked for");
        }
    }

    /** Takes a HELLO or a heartbeat. */
    void heartbeat(Input input, Fact fact, Heartbeat heartbeat, String connector) {
        if (!heartbeat.getConnector().equals(connector)) {
            facts.reject(
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
                facts.reject(
                        input, Cause.UNDECODABLE, "Kind of heartbeat this build does not know; upgrade the scheduler");
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
        if (gate != null
                && gate.epoch() == epoch.getAsLong()
                && gate.isNext(input.topic(), sequence.getAsLong(), input.offset())) {
            gate.receive(input.topic(), new Numbering(sequence.getAsLong(), input.offset()), reading.now());
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
        Instant readTo = reading.now();
        for (ConnectorGate gate : gates.values()) {
            giveUp(gate, readTo);
        }
        if (iterations.clockMode() == ClockMode.WALL) {
            iterations.iterateIfDue(at);
        }
    }

    /** Has stored what moved since the last call. */
    void flush() {
        task.flush();
    }

    int heldCount() {
        return gates.values().stream().mapToInt(ConnectorGate::heldCount).sum();
    }

    int parkedCount() {
        return parking.size();
    }

    /** Makes a dead letter of an input the scheduler fails on, and notes that in the journal. */
    void setAside(Input input, Suspicion suspicion) {
        facts.setAside(input, suspicion);
    }

    /** Returns how many objects are set aside. */
    boolean isPlanUnfinished() {
        return task.isPlanUnfinished();
    }

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
        Optional<Rejection> rejection = facts.check(input, fact);
        if (rejection.isPresent()) {
            facts.reject(input, rejection.get());
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
        facts.apply(input, fact);
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
            facts.reject(
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
        } else if (sequence > gate.highestHeartbeat(input.offset())) {
            facts.reject(
                    input,
                    Cause.BAD_HEADERS,
                    "Heartbeat " + sequence + " of connector '" + connector + "'; at most "
                            + gate.highestHeartbeat(input.offset())
                            + " can have been reached here by counting the heartbeats written; if it writes no others,"
                            + " restart the connector");
        } else {
            Optional<Rejection> rejection = facts.check(input, fact);
            if (rejection.isPresent()) {
                facts.reject(input, rejection.get());
                return;
            }
            if (gate.isFull()) {
                finish(gate, gate.firstHeld().orElseThrow());
            }
            gate.hold(ConnectorGate.Held.since(reading.now(), input, heartbeat));
            moved(gate);
            if (gate.firstHeld()
                    .filter(held -> gate.isReached(held.heartbeat()))
                    .isEmpty()) {
                // The one change that makes the record larger: too large a one is this heartbeat's fault, not the
                // commit's.
                stores.put(gate.toRecord());
            }
            release(gate);
        }
    }

    /** A fact of an epoch that is not open: its HELLO is still to come on the other topic, or never will. */
    private void early(Input input, Fact fact, long sequence, long heartbeatOffset) {
        if (fact.epoch() > heartbeatOffset) {
            facts.park(input, fact, sequence, true);
        } else {
            unopened(input, fact);
        }
    }

    private void unopened(Input input, Fact fact) {
        facts.reject(
                input,
                Cause.UNKNOWN_EPOCH,
                "Epoch " + fact.epoch() + " of connector '" + fact.connector()
                        + "': there is no HELLO at that offset of " + Topics.RM_HEARTBEATS.name()
                        + "; restart the connector");
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
            if (!gate.isReached(held.heartbeat()) && !gate.isLost(held, settings.gapTimeout(), at)) {
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
        facts.settleCounted(gate.connector(), heartbeat);
        Optional<String> missing = gate.missing(heartbeat);
        if (missing.isPresent()) {
            incomplete(gate, held, missing.get());
        } else {
            Optional<Rejection> rejection = facts.check(held.input(), fact);
            if (rejection.isPresent()) {
                facts.reject(held.input(), rejection.get());
                return;
            }
            gate.completed(heartbeat);
            facts.apply(held.input(), fact);
        }
        iterations.answer(
                new HeartbeatReference(gate.connector(), gate.epoch(), heartbeat.getNumber()), heartbeat.getRmTime());
    }

    /** A heartbeat whose facts are lost says nothing reliable: it is passed over, answered, and a full poll asked for. */
    private void incomplete(ConnectorGate gate, ConnectorGate.Held held, String missing) {
        String message = "Heartbeat " + held.heartbeat().getNumber() + " of connector '" + gate.connector()
                + "' counts facts that never came: " + missing + "; a full poll is asked for";
        gate.forgetMissing(held.heartbeat());
        deadLetters.write(held.input(), task.cluster(), Cause.INCOMPLETE, message);
        metrics.gap();
        facts.askForEverything(gate.connector(), message);
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

    private void moved(ConnectorGate gate) {
        stores.connectorAtCommit(task.cluster(), gate.connector(), gate::toRecord);
    }
}
