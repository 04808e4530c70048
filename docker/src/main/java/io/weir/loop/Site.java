package io.weir.loop;

import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import io.weir.loop.host.SimulatedStream;
import io.weir.loop.log.LogFaults;
import io.weir.loop.log.SimulatedLog;
import io.weir.loop.site.ApiProcess;
import io.weir.loop.site.ConnectorProcess;
import io.weir.loop.site.DeafFeed;
import io.weir.loop.site.Effects;
import io.weir.loop.site.NotifierProcess;
import io.weir.loop.site.Receiver;
import io.weir.loop.site.RegistryLine;
import io.weir.loop.site.UnreliableMachine;
import io.weir.loop.turn.ProcessKilledError;
import io.weir.loop.turn.SimulatedProcess;
import io.weir.loop.turn.Turns;
import io.weir.rm.simulated.SimulatedMachine;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.scheduler.stream.StreamMetrics;
import io.weir.topics.AvroCodec;
import io.weir.topics.EntityKey;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A site with all its processes: starts them, and starts them again when they end as a service manager would. */
final class Site {
    static final String CLUSTER = "c1";
    static final TopicNames NAMES = new TopicNames("weir.");

    /** Key of the event on which the scheduler has a fault. */
    static final EntityKey PLANTED = new EntityKey(CLUSTER, "planted");

    /** Neighbours by preference; of two partitions the first is on the one of the troubled cluster, the second is not. */
    private static final List<String> NEIGHBOURS = List.of("c2", "c4");

    private static final int NEIGHBOUR_JOBS = 6;
    private static final Duration REGISTRY_PAUSE = Duration.ofMillis(500);
    private static final long RESTART_MICROS = 500_000;
    private static final int MICROS_PER_SECOND = 1_000_000;

    private final Turns turns;
    private final Trace trace;
    private final AvroCodec known;
    private final Set<Protection> without;
    private final boolean ownSchemas;
    private final SimulatedLog log;
    private final SiteTopics topics;
    private final SchedulerShape scheduler;
    private final List<String> clusters = new ArrayList<>();
    private final Map<String, SimulatedMachine> machines = new TreeMap<>();
    private final Effects effects = new Effects();
    private final MachineTroubles troubles;
    private final Receiver receiver;
    private final Random random;
    private final Map<Who, ApiProcess> apis = new EnumMap<>(Who.class);
    private final SiteClients clients;
    private final Map<Who, SimulatedProcess> processes = new EnumMap<>(Who.class);
    private long sharedRestartsUntil;
    private long registryAwayUntil;
    private long restartsUntil;
    private long starts;
    private int notifierStarts;

    Site(LifePlan plan, Turns turns, Trace trace, AvroCodec codec, StreamMetrics metrics, Set<Protection> without) {
        this.turns = turns;
        this.trace = trace;
        this.known = codec;
        this.without = without;
        this.ownSchemas = plan.deeds().stream().anyMatch(Deed.TakeRegistryAway.class::isInstance);
        this.random = new Random(plan.seed() + 3);
        this.troubles = new MachineTroubles(turns);
        this.clients = new SiteClients(
                CLUSTER, turns, new Random(plan.seed() + 5), this::api, without.contains(Protection.REQUEST_ID));
        this.log = new SimulatedLog(turns, new LogFaults(without.contains(Protection.FENCING)));
        clusters.add(CLUSTER);
        clusters.addAll(NEIGHBOURS.subList(0, plan.neighbours()));
        int partitions = Math.min(2, clusters.size());
        this.topics = new SiteTopics(log, partitions);
        this.scheduler = new SchedulerShape(clusters, partitions, metrics, without, turns::now);
        clusters.forEach(cluster -> machines.put(cluster, machine(plan, cluster)));
        this.receiver = new Receiver(turns, random, troubles::trouble);
    }

    private SimulatedMachine machine(LifePlan plan, String cluster) {
        return new SimulatedMachine(
                cluster,
                Map.of(
                        "nodes", String.valueOf(plan.nodes()),
                        "procs.per.node", String.valueOf(plan.procsPerNode()),
                        "generated.jobs", String.valueOf(cluster.equals(CLUSTER) ? plan.jobs() : NEIGHBOUR_JOBS),
                        "generated.seed", String.valueOf(plan.seed()),
                        "generated.load", "2.5",
                        "generated.longest.run.seconds", "25"),
                () -> turns.now() / MICROS_PER_SECOND);
    }

    /** Returns the topics of this site. */
    SiteTopics topics() {
        return topics;
    }

    /** Returns the scheduler that runs here. */
    SchedulerShape scheduler() {
        return scheduler;
    }

    SimulatedLog log() {
        return log;
    }

    /** Returns the resource managers. */
    Collection<SimulatedMachine> machines() {
        return machines.values();
    }

    /** Returns the jobs of {@code machine} that may be of another size than they were submitted with. */
    Set<String> resized(SimulatedMachine machine) {
        return machine.equals(machines.get(clusters.get(0))) ? troubles.writtenInto() : Set.of();
    }

    /** Returns the clusters, the troubled one first. */
    List<String> clusters() {
        return List.copyOf(clusters);
    }

    Receiver receiver() {
        return receiver;
    }

    /** Returns how often a notifier was started. */
    int notifierStarts() {
        return notifierStarts;
    }

    Effects effects() {
        return effects;
    }

    long starts() {
        return starts;
    }

    void start() {
        start(Who.SCHEDULER_1);
        start(Who.SCHEDULER_2);
        start(Who.CONNECTOR_1);
        start(Who.NOTIFIER);
        start(Who.API_1);
        start(Who.API_2);
        neighbours().keySet().forEach(this::start);
    }

    /** Returns the neighbours by their connectors. */
    private Map<Who, String> neighbours() {
        Map<Who, String> neighbours = new EnumMap<>(Who.class);
        for (int i = 1; i < clusters.size(); i++) {
            neighbours.put(i == 1 ? Who.NEIGHBOUR_1 : Who.NEIGHBOUR_2, clusters.get(i));
        }
        return neighbours;
    }

    /** Starts a process unless it runs. */
    void start(Who who) {
        SimulatedProcess former = processes.get(who);
        if (former != null && former.isAlive()) {
            return;
        }
        SimulatedProcess process = new SimulatedProcess(turns, who.name());
        processes.put(who, process);
        starts++;
        restarts(who, turns.now());
        trace.note(who + " starts");
        turns.start(process, () -> run(who, process), thrown -> ended(who, process, thrown));
    }

    private void run(Who who, SimulatedProcess process) {
        AvroCodec codec = codec();
        if (who.isScheduler()) {
            prepare(codec);
            new SimulatedStream(
                            log,
                            turns,
                            process,
                            scheduler.stream(codec),
                            who.name(),
                            scheduler.faults(),
                            failure -> failed(who, failure))
                    .run();
        } else if (who.isConnector() || who.isNeighbour()) {
            String cluster = neighbours().getOrDefault(who, CLUSTER);
            UnreliableMachine rm = new UnreliableMachine(
                    Objects.requireNonNull(machines.get(cluster)).connect(),
                    process,
                    turns,
                    random,
                    effects,
                    who.isNeighbour() ? new GoodMood() : troubles);
            trace.note(who + " ended: "
                    + new ConnectorProcess(
                                    log,
                                    turns,
                                    process,
                                    codec,
                                    NAMES,
                                    cluster,
                                    feed -> without.contains(Protection.EPOCH) ? new DeafFeed(feed) : feed)
                            .run(rm));
        } else if (who.isApi()) {
            ApiProcess api = new ApiProcess(log, turns, process, codec, NAMES);
            apis.put(who, api);
            api.run();
        } else {
            notifierStarts++;
            new NotifierProcess(log, turns, process, codec, NAMES).run(receiver);
        }
    }

    private Optional<ApiProcess> api(int instance) {
        Who who = instance == 0 ? Who.API_1 : Who.API_2;
        SimulatedProcess process = processes.get(who);
        return process == null || !process.isAlive() ? Optional.empty() : Optional.ofNullable(apis.get(who));
    }

    /** Returns the clients of the API. */
    SiteClients clients() {
        return clients;
    }

    /** Returns what befalls the resource manager of the troubled cluster. */
    MachineTroubles troubles() {
        return troubles;
    }

    private void failed(Who who, RuntimeException failure) {
        trace.note(who + " failed: " + failure);
    }

    /** A process that failed is started again; one that was replaced stays down; one that was killed is seen to by its killer. */
    private void ended(Who who, SimulatedProcess process, @Nullable Throwable thrown) {
        process.kill();
        if (thrown != null && !(thrown instanceof ProcessKilledError)) {
            trace.note(who + " died: " + thrown);
            startLater(who, RESTART_MICROS);
        }
    }

    private void restarts(Who who, long micros) {
        restartsUntil = Math.max(restartsUntil, micros);
        if (!who.isConnector()) {
            sharedRestartsUntil = Math.max(sharedRestartsUntil, micros);
        }
    }

    private void startLater(Who who, long micros) {
        restarts(who, turns.now() + micros);
        turns.at(turns.now() + micros, () -> start(who));
    }

    /** Returns the codec of a process that starts: with all schemas in memory, unless this is a life without. */
    private AvroCodec codec() {
        return ownSchemas
                ? new AvroCodec(
                        NAMES,
                        Lives.REGISTRY,
                        RegistryLine.open(
                                MockSchemaRegistry.getClientForScope(Lives.REGISTRY_SCOPE),
                                this::isRegistryAway,
                                without.contains(Protection.REGISTRY)))
                : known;
    }

    /** Has the schemas at hand that the scheduler writes, as its service does before it starts the stream. */
    private void prepare(AvroCodec codec) {
        List<Topic<?>> written = new ArrayList<>(SchedulerTopology.outputs());
        written.add(IntakeRecords.QUARANTINE);
        while (true) {
            try {
                codec.prepare(written);
                return;
            } catch (RegistryUnavailableException e) {
                turns.sleep(REGISTRY_PAUSE);
            }
        }
    }

    /** Kills a process behind so many of its next calls to the outside, so that no place in its work is spared. */
    void kill(Who who, int calls, long downMillis) {
        SimulatedProcess process = processes.get(who);
        if (process != null) {
            process.behind(calls, () -> {
                process.kill();
                startLater(who, downMillis * 1_000);
            });
        }
    }

    /** Freezes a process behind so many of its next calls to the outside. */
    void freeze(Who who, int calls, long millis) {
        SimulatedProcess process = processes.get(who);
        if (process != null) {
            process.behind(calls, () -> process.freezeUntil(turns.now() + millis * 1_000));
        }
    }

    void stepClock(Who who, long errorMillis) {
        SimulatedProcess process = processes.get(who);
        if (process != null) {
            process.setClockError(errorMillis);
        }
    }

    void takeRegistryAway(long millis) {
        registryAwayUntil = Math.max(registryAwayUntil, turns.now() + millis * 1_000);
    }

    private boolean isRegistryAway() {
        return turns.now() < registryAwayUntil;
    }

    /** Says what has not been taken in up to {@code ends}, and who has no answer. */
    List<String> untaken(Map<TopicPartition, Long> ends) {
        List<String> untaken = topics.untaken(ends);
        if (!clients.areSettled()) {
            untaken.add("a client of the API was not answered");
        }
        return untaken;
    }

    /** Ends all troubles. */
    void calm() {
        scheduler.calm();
        troubles.calm();
        processes.values().forEach(process -> {
            process.setClockError(0);
            process.spare();
        });
        seeToConnector();
        clients.resume();
        clients.askEachInstance();
    }

    /** Says whether a process or what it needs is not back yet, or only just. */
    boolean isTroubled() {
        return turns.now() <= restartsUntil
                || troubles.isAway()
                || isSharedTroubled()
                || processes.values().stream().anyMatch(SimulatedProcess::isFrozen);
    }

    /** Says the same of what the clusters share, and of the neighbours' own processes. */
    boolean isSharedTroubled() {
        return (sharedRestartsUntil > 0 && turns.now() <= sharedRestartsUntil)
                || isRegistryAway()
                || log.isAway()
                || processes.entrySet().stream()
                        .filter(process -> !process.getKey().isConnector())
                        .map(Map.Entry::getValue)
                        .anyMatch(process -> process.isFrozen() || process.wallMillis() != turns.wallMillis());
    }

    /** Starts a connector whenever none is left, as an operator would. */
    private void seeToConnector() {
        boolean any = false;
        for (Map.Entry<Who, SimulatedProcess> entry : processes.entrySet()) {
            any |= entry.getKey().isConnector() && entry.getValue().isAlive();
        }
        if (!any) {
            start(Who.CONNECTOR_1);
        }
        turns.at(turns.now() + RESTART_MICROS, this::seeToConnector);
    }
}
