package io.weir.scheduler.stream;

import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.stream.DeadLetters.Cause;
import io.weir.scheduler.stream.quarantine.CurrentStep;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicion;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.quarantine.TaskStep;
import io.weir.scheduler.stream.store.StoredState;
import io.weir.scheduler.stream.store.Stores;
import io.weir.scheduler.stream.waiting.DelayedInputs;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.bound.Bound;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.PoisonRecordException;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topics;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Intake of one partition: decodes a record, finds its cluster, and hands it on. What cannot be used becomes a dead
 * letter here; whatever is still counted among its connector's facts, so that a bad record does not look like a lost one.
 * A record whose schema the registry cannot give yet waits, in the store, and with it whatever comes for its cluster; the
 * other clusters go on. Owned by the stream thread.
 */
final class Intake {
    private static final Logger log = LoggerFactory.getLogger(Intake.class);

    /** Delayed inputs of a cluster that are taken at once, so that the other clusters go on. */
    private static final int MOST_AT_ONCE = 1_000;

    private final StreamSettings settings;
    private final Stores stores;
    private final InputDecoder decoder;
    private final DeadLetters deadLetters;
    private final SortedMap<String, ClusterIntake> clusters;
    /** Clusters whose state could not be restored, with the reason. */
    private final SortedMap<String, String> unrestored;

    private final int partition;
    private final Suspicions suspicions;
    private final CurrentStep step;
    private final OutputLimits limits;
    private final Supplier<Instant> system;
    private final SortedMap<String, DelayedInputs> delayed = new TreeMap<>();
    private final InputPositions positions;

    /** Topics of which records have been passed over. */
    private final Set<String> passedOver = new HashSet<>();

    /**
     * Creates the intake of a partition.
     *
     * @param clusters the configured clusters on it
     * @param unrestored those of them whose state could not be restored, with the reason: what comes for them is passed over
     * @param stored what waits
     * @param positions how far the partition has come
     * @param system this machine's time
     */
    Intake(
            StreamSettings settings,
            Stores stores,
            InputDecoder decoder,
            DeadLetters deadLetters,
            SortedMap<String, ClusterIntake> clusters,
            SortedMap<String, String> unrestored,
            StoredState stored,
            InputPositions positions,
            Suspicions suspicions,
            CurrentStep step,
            OutputLimits limits,
            Supplier<Instant> system) {
        this.settings = settings;
        this.stores = stores;
        this.decoder = decoder;
        this.deadLetters = deadLetters;
        this.clusters = clusters;
        this.unrestored = unrestored;
        this.partition = stored.partition().getPartition();
        this.positions = positions;
        this.suspicions = suspicions;
        this.step = step;
        this.limits = limits;
        this.system = system;
        for (String cluster : clusters.keySet()) {
            DelayedInputs waiting = new DelayedInputs(cluster, stores);
            stored.of(cluster).delayed().forEach(waiting::restore);
            delayed.put(cluster, waiting);
        }
    }

    /**
     * Takes one record; on return everything that follows from it is stored and sent. A record that was taken in before
     * is passed over: what the stores hold counts, not where the consumer stands.
     */
    void receive(Input input) {
        if (input.offset() < positions.next(input.topic())) {
            passOver(input);
            return;
        }
        TaskStep receiving = new TaskStep.Receiving(input);
        step.set(receiving);
        dispatch(input);
        step.set(receiving);
        positions.taken(input.topic(), input.offset());
        if (input.topic().equals(Topics.RM_HEARTBEATS.name())) {
            clusters.forEach((cluster, intake) -> settleEpochs(cluster, intake, input.offset()));
        }
        stores.partitionAtCommit(positions::toRecord);
        flush();
        suspicions.taken(input);
    }

    private void passOver(Input input) {
        if (passedOver.add(input.topic())) {
            log.warn(
                    "Passed over, as it was taken in before, like whatever follows it on its topic up to offset {}: input={}. That"
                            + " is as it should be where the group's positions were set back. Where the topic was made anew, its"
                            + " records are others: restore it, or begin anew with another topics.prefix, application.id and"
                            + " state.dir",
                    positions.next(input.topic()) - 1,
                    input);
        } else {
            log.debug("Passed over, taken in before: input={}", input);
        }
    }

    /** Does what time alone makes due. */
    void tick() {
        clusters.forEach((cluster, intake) -> {
            takeDelayed(cluster, intake);
            intake.tick();
        });
        flush();
    }

    private void dispatch(Input input) {
        byte[] key = input.key();
        if (key == null || key.length == 0) {
            deadLetters.write(input, "", Cause.BAD_KEY, "No key; it has to be cluster/entity");
            return;
        }
        String cluster = EntityKey.parse(key).cluster();
        @Nullable String failure = unrestored.get(cluster);
        if (failure != null) {
            deadLetters.write(
                    input,
                    cluster,
                    Cause.NOT_RESTORED,
                    "The state of cluster '" + cluster + "' could not be restored: " + failure
                            + "; run a build that can, then send this again");
            return;
        }
        @Nullable ClusterIntake intake = clusters.get(cluster);
        if (intake == null) {
            deadLetters.write(input, "", Cause.MISROUTED, misrouted(cluster));
            return;
        }
        int most = Topics.byName(input.topic()).map(limits::mostInput).orElse(0);
        if (input.size() > most) {
            reject(
                    intake,
                    input,
                    cluster,
                    Cause.TOO_LARGE,
                    "Key, value and headers have " + input.size() + " bytes; at most " + most + " are allowed");
            return;
        }
        DelayedInputs waiting = delayedOf(cluster);
        if (!waiting.isEmpty()) {
            waiting.add(input, heartbeatOffset());
        } else if (!take(intake, input, cluster, heartbeatOffset())) {
            waiting.add(input, heartbeatOffset());
            waiting.retryAfter(system.get());
        }
    }

    /** Takes what waited for the registry, if it is time to ask again; every input in its turn. */
    private void takeDelayed(String cluster, ClusterIntake intake) {
        DelayedInputs waiting = delayedOf(cluster);
        DelayedInputs.@Nullable Delayed next = waiting.due(system.get());
        if (next == null) {
            return;
        }
        for (int taken = 0; next != null && taken < MOST_AT_ONCE; taken++) {
            TaskStep receiving = new TaskStep.Receiving(next.input());
            step.set(receiving);
            if (!take(intake, next.input(), cluster, next.heartbeatOffset())) {
                waiting.retryAfter(system.get());
                return;
            }
            step.set(receiving);
            waiting.removeFirst();
            suspicions.taken(next.input());
            next = waiting.due(system.get());
        }
        if (waiting.isEmpty()) {
            log.info("Schema registry is back, the cluster goes on: domain={}", cluster);
            settleEpochs(cluster, intake, heartbeatOffset());
        }
    }

    /** An epoch cannot be given up while its HELLO may be among what waits. */
    private void settleEpochs(String cluster, ClusterIntake intake, long offset) {
        if (delayedOf(cluster).isEmpty()) {
            intake.settleEpochs(offset);
        }
    }

    private DelayedInputs delayedOf(String cluster) {
        return Objects.requireNonNull(delayed.get(cluster), cluster);
    }

    /** Returns the offset of the last heartbeat seen; -1 for none. */
    private long heartbeatOffset() {
        return positions.next(Topics.RM_HEARTBEATS.name()) - 1;
    }

    /** Takes a record of a cluster that is scheduled here; false, and nothing done, when it cannot be decoded yet. */
    private boolean take(ClusterIntake intake, Input input, String cluster, long heartbeatOffset) {
        Optional<Suspicion> verdict = suspicions.verdict(input).filter(Suspicion::early);
        if (verdict.isPresent()) {
            intake.setAside(input, verdict.get());
            intake.countRejected(input);
            return true;
        }
        if (input.timestamp() <= 0 || input.timestamp() >= Bound.Moment.END.toEpochMilli()) {
            reject(
                    intake,
                    input,
                    cluster,
                    Cause.BAD_TIMESTAMP,
                    "Record timestamp " + input.timestamp() + " ms; it has to be after 1970 and before 2100");
            return true;
        }
        SpecificRecord value;
        try {
            value = decoder.decode(input);
        } catch (PoisonRecordException e) {
            reject(intake, input, cluster, Cause.UNDECODABLE, String.valueOf(e.getMessage()));
            return true;
        } catch (RegistryUnavailableException e) {
            if (delayedOf(cluster).isEmpty()) {
                log.warn(
                        "Schema registry is away, the cluster waits: domain={} input={}: {}",
                        cluster,
                        input,
                        e.getMessage());
            } else {
                log.debug("Not decoded: input={}", input, e);
            }
            return false;
        }
        String claimed = clusterOf(value);
        if (claimed.equals(cluster)) {
            route(intake, input, cluster, value, heartbeatOffset);
        } else {
            reject(
                    intake,
                    input,
                    cluster,
                    Cause.MISROUTED,
                    "Cluster '" + claimed + "' in the record, '" + cluster
                            + "' in the key; both have to be the record's own");
        }
        return true;
    }

    private void route(ClusterIntake intake, Input input, String cluster, SpecificRecord value, long heartbeatOffset) {
        if (!Facts.isConnectorTopic(input.topic())) {
            intake.foreign(input, value);
            return;
        }
        Fact fact = Facts.of(input, value);
        @Nullable String connector = fact.connector();
        if (connector == null || connector.isEmpty()) {
            if (settings.foreignReports() && !(value instanceof Heartbeat)) {
                intake.foreign(input, value);
            } else {
                deadLetters.write(
                        input,
                        cluster,
                        Cause.NO_CONNECTOR,
                        "No header " + FactHeaders.CONNECTOR.name()
                                + "; only connectors write here, unless intake.foreign.reports is set");
            }
        } else if (FactHeaders.REDRIVEN_FROM.get(input.headers()).isPresent()) {
            intake.redriven(input, fact, connector);
        } else if (value instanceof Heartbeat heartbeat) {
            intake.heartbeat(input, fact, heartbeat, connector);
        } else {
            intake.fact(input, fact, connector, heartbeatOffset);
        }
    }

    private void reject(ClusterIntake intake, Input input, String cluster, Cause cause, String message) {
        deadLetters.write(input, cluster, cause, message);
        intake.countRejected(input);
    }

    private String misrouted(String cluster) {
        if (settings.givenUp().contains(cluster)) {
            return "Cluster '" + cluster + "' is given up here (clusters.given.up)";
        }
        if (!settings.clusters().contains(cluster)) {
            return "Cluster '" + cluster + "' is not scheduled here; the clusters are " + settings.clusters();
        }
        return "Cluster '" + cluster + "' belongs on partition "
                + ClusterPartitioner.partition(cluster, settings.partitions()) + ", not " + partition + "; use "
                + ClusterPartitioner.class.getName() + " or send to that partition";
    }

    private void flush() {
        clusters.values().forEach(ClusterIntake::flush);
    }

    /** Returns how many inputs have been read and are not taken in yet. */
    int backlog() {
        return positions.backlog();
    }

    int heldCount() {
        return clusters.values().stream().mapToInt(ClusterIntake::heldCount).sum();
    }

    /** Returns the number of clusters whose plan goes on behind the last slice of the queue. */
    int unfinishedPlans() {
        return (int) clusters.values().stream()
                .filter(ClusterIntake::isPlanUnfinished)
                .count();
    }

    /** Returns how many inputs wait for nodes, for their epoch or for the registry. */
    int parkedCount() {
        return clusters.values().stream().mapToInt(ClusterIntake::parkedCount).sum()
                + delayed.values().stream().mapToInt(DelayedInputs::size).sum();
    }

    int setAsideCount() {
        return clusters.values().stream().mapToInt(ClusterIntake::setAsideCount).sum();
    }

    private static String clusterOf(SpecificRecord value) {
        Schema.@Nullable Field field = value.getSchema().getField("cluster");
        return field == null ? "" : String.valueOf(value.get(field.pos()));
    }
}
