package io.weir.loop;

import io.confluent.kafka.schemaregistry.testutil.MockSchemaRegistry;
import io.weir.loop.host.SimulatedStream;
import io.weir.loop.host.StreamFaults;
import io.weir.loop.host.StreamShape;
import io.weir.loop.log.LogFaults;
import io.weir.loop.log.SimulatedLog;
import io.weir.loop.log.TopicShape;
import io.weir.loop.site.ApiClient;
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
import io.weir.notifier.runtime.KafkaClients;
import io.weir.rm.simulated.SimulatedMachine;
import io.weir.scheduler.core.request.form.AccessLevel;
import io.weir.scheduler.core.request.form.Principal;
import io.weir.scheduler.journal.IntakeRecords;
import io.weir.scheduler.stream.ClockMode;
import io.weir.scheduler.stream.OutputLimits;
import io.weir.scheduler.stream.RecordTimestamps;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.scheduler.stream.StreamMetrics;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.scheduler.stream.Suspicions;
import io.weir.schemas.JobReport;
import io.weir.schemas.NameValue;
import io.weir.schemas.RequestKind;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.RecordSize;
import io.weir.topics.RegistryUnavailableException;
import io.weir.topics.Topic;
import io.weir.topics.Topic.Cleanup;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** A site with all its processes: starts them, and starts them again when they end as a service manager would. */
final class Site {
    static final String CLUSTER = "c1";
    static final TopicNames NAMES = new TopicNames("weir.");

    /** Key of the event on which the scheduler has a fault. */
    static final EntityKey PLANTED = new EntityKey(CLUSTER, "planted");

    private static final String APPLICATION = "weir-scheduler";
    private static final List<String> CHANGELOGS = Stream.of("entities", "intake")
            .map(store -> StreamShape.changelog(APPLICATION, store))
            .toList();
    /** Neighbours by preference; of two partitions the first is on the one of the troubled cluster, the second is not. */
    private static final List<String> NEIGHBOURS = List.of("c2", "c4");

    private static final int NEIGHBOUR_JOBS = 6;
    private static final long SEGMENT_MILLIS = 2_000;
    private static final Duration REGISTRY_PAUSE = Duration.ofMillis(500);
    private static final long RESTART_MICROS = 500_000;
    private static final int MICROS_PER_SECOND = 1_000_000;

    private final Turns turns;
    private final Trace trace;
    private final AvroCodec known;
    private final StreamMetrics metrics;
    private final Set<Protection> without;
    private final boolean ownSchemas;
    private final SimulatedLog log;
    private final List<String> clusters = new ArrayList<>();
    private final int partitions;
    private final Map<String, SimulatedMachine> machines = new TreeMap<>();
    private final Effects effects = new Effects();
    private final Receiver receiver;
    private final Random random;
    private final Random chance;
    private final Map<Who, ApiProcess> apis = new EnumMap<>(Who.class);
    private final List<ApiClient> clients = new ArrayList<>();
    private final Map<Who, SimulatedProcess> processes = new EnumMap<>(Who.class);
    private final Map<String, Deed.WriteIntoJob> written = new HashMap<>();
    private long iterationsFailUntil;
    private long sharedRestartsUntil;
    private long machineAwayUntil;
    private long registryAwayUntil;
    private long restartsUntil;
    private int trouble;
    private long starts;
    private int notifierStarts;

    Site(LifePlan plan, Turns turns, Trace trace, AvroCodec codec, StreamMetrics metrics, Set<Protection> without) {
        this.turns = turns;
        this.trace = trace;
        this.known = codec;
        this.metrics = metrics;
        this.without = without;
        this.ownSchemas = plan.deeds().stream().anyMatch(Deed.TakeRegistryAway.class::isInstance);
        this.random = new Random(plan.seed() + 3);
        this.chance = new Random(plan.seed() + 5);
        this.log = new SimulatedLog(turns, new LogFaults(without.contains(Protection.FENCING)));
        clusters.add(CLUSTER);
        clusters.addAll(NEIGHBOURS.subList(0, plan.neighbours()));
        this.partitions = Math.min(2, clusters.size());
        clusters.forEach(cluster -> machines.put(cluster, machine(plan, cluster)));
        this.receiver = new Receiver(turns, random, () -> trouble);
        makeTopics();
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

    private void makeTopics() {
        for (Topic<?> topic : Topics.all()) {
            log.create(
                    NAMES.full(topic),
                    new TopicShape(
                            partitions, topic.cleanup() == Cleanup.COMPACT, RecordSize.most(topic), SEGMENT_MILLIS));
        }
        CHANGELOGS.forEach(changelog ->
                log.create(changelog, new TopicShape(partitions, true, RecordSize.LARGEST, SEGMENT_MILLIS)));
        for (Topic<?> input : SchedulerTopology.inputs()) {
            all(input).forEach(partition -> log.place(APPLICATION, partition, 0));
        }
    }

    /** Returns the topics in which the scheduler's stores are kept. */
    List<String> changelogs() {
        return CHANGELOGS;
    }

    SimulatedLog log() {
        return log;
    }

    /** Returns the resource managers. */
    Collection<SimulatedMachine> machines() {
        return machines.values();
    }

    /** Returns the clusters, the troubled one first. */
    List<String> clusters() {
        return List.copyOf(clusters);
    }

    /** Returns where the records of the troubled cluster are on a topic without its prefix. */
    TopicPartition place(String topic) {
        return new TopicPartition(NAMES.prefix() + topic, ClusterPartitioner.partition(CLUSTER, partitions));
    }

    private List<TopicPartition> all(Topic<?> topic) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(NAMES.full(topic), partition))
                .toList();
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
                            shape(codec),
                            who.name(),
                            streamFaults(),
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
                    who.isNeighbour() ? new GoodMood() : new Mood());
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

    /** Has a client of the API begin. */
    void call(Deed.Call call) {
        begin(new ApiClient.Wish(
                CLUSTER,
                new Principal(call.principal(), Optional.empty()),
                call.id(),
                call.kind(),
                call.object(),
                call.arguments(),
                call.repetitions(),
                false,
                call.instance()));
    }

    private void begin(ApiClient.Wish wish) {
        ApiClient client = new ApiClient(turns, chance, this::api, wish);
        clients.add(client);
        client.begin(without.contains(Protection.REQUEST_ID));
    }

    private Optional<ApiProcess> api(int instance) {
        Who who = instance == 0 ? Who.API_1 : Who.API_2;
        SimulatedProcess process = processes.get(who);
        return process == null || !process.isAlive() ? Optional.empty() : Optional.ofNullable(apis.get(who));
    }

    /** Returns all clients of the API so far. */
    List<ApiClient> clients() {
        return List.copyOf(clients);
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

    /** Returns the scheduler's topology, for one process. */
    private StreamShape shape(AvroCodec codec) {
        StreamSettings settings = new StreamSettings(
                NAMES,
                new TreeSet<>(clusters),
                partitions,
                ClockMode.WALL,
                Duration.ofMillis(200),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                false,
                "loop");
        Suspicions suspicions = new Suspicions();
        boolean forgets = without.contains(Protection.QUARANTINE);
        return new StreamShape(
                APPLICATION,
                SchedulerTopology.inputs().stream().map(NAMES::full).toList(),
                SchedulerTopology.outputs().stream()
                        .collect(Collectors.toMap(SchedulerTopology::sinkName, NAMES::full)),
                new RecordTimestamps(),
                () -> {
                    Suspicions remembered = forgets ? new Suspicions() : suspicions;
                    return SchedulerTopology.processors(
                            settings,
                            codec,
                            metrics,
                            remembered,
                            without.contains(Protection.SIZE_BUDGETS) ? OutputLimits.none() : new OutputLimits());
                },
                ClusterPartitioner::partition);
    }

    private StreamFaults streamFaults() {
        UnaryOperator<ConsumerRecord<byte[], byte[]>> inputs = UnaryOperator.identity();
        if (without.contains(Protection.SEQUENCE)) {
            inputs = new Renumbering()::renumbered;
        } else if (without.contains(Protection.EPOCH)) {
            inputs = new Relabelling()::relabelled;
        }
        return new StreamFaults(without.contains(Protection.TRANSACTION), inputs, this::isFailing);
    }

    private boolean isFailing(Record<byte[], byte[]> output) {
        return isPlanted(output) || (turns.now() < iterationsFailUntil && isIteration(output));
    }

    private static boolean isIteration(Record<byte[], byte[]> output) {
        return EntityKey.parse(output.key()).cluster().equals(CLUSTER)
                && FactHeaders.KIND
                        .get(output.headers())
                        .filter(FactHeaders.KIND_ITERATION::equals)
                        .isPresent();
    }

    /** Has iterations of the troubled cluster fail for a while. */
    void failIterations(long millis) {
        iterationsFailUntil = turns.now() + millis * 1_000;
    }

    /** Says whether {@code output} is the journal's copy of an input on which the scheduler is to fail. */
    private static boolean isPlanted(Record<byte[], byte[]> output) {
        return Arrays.equals(output.key(), PLANTED.toBytes())
                && FactHeaders.SOURCE_TOPIC
                        .get(output.headers())
                        .filter(Topics.MONITORING_EVENTS.name()::equals)
                        .isPresent();
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

    void takeMachineAway(long millis) {
        machineAwayUntil = Math.max(machineAwayUntil, turns.now() + millis * 1_000);
    }

    void troubleMachine(int percent) {
        trouble = percent;
    }

    void writeIntoJob(Deed.WriteIntoJob write) {
        written.put(write.job(), write);
    }

    /** Returns where the inputs of the scheduler and of the notifier end. */
    Map<TopicPartition, Long> inputEnds() {
        Map<TopicPartition, Long> ends = new LinkedHashMap<>();
        for (Topic<?> input : SchedulerTopology.inputs()) {
            all(input).forEach(partition -> ends.put(partition, log.stableEnd(partition)));
        }
        // The notifier records where its last record ends, and not the marker of the transaction behind it.
        for (TopicPartition partition : all(Topics.NOTIFICATIONS)) {
            List<ConsumerRecord<byte[], byte[]>> notifications = log.committed(partition);
            ends.put(
                    partition,
                    notifications.isEmpty()
                            ? 0
                            : notifications.get(notifications.size() - 1).offset() + 1);
        }
        return ends;
    }

    /** Returns the offsets up to which the notifier has seen to notifications, by partition. */
    Map<Integer, Long> notificationsSeenTo() {
        Map<Integer, Long> offsets = new HashMap<>();
        log.positions(KafkaClients.groupOfChannel(NAMES, NotifierProcess.CHANNEL))
                .forEach((partition, position) -> offsets.put(partition.partition(), position.offset()));
        return offsets;
    }

    /** Says which inputs have not been taken in up to {@code ends}. */
    List<String> untaken(Map<TopicPartition, Long> ends) {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>(log.positions(APPLICATION));
        positions.putAll(log.positions(KafkaClients.groupOfChannel(NAMES, NotifierProcess.CHANNEL)));
        List<String> untaken = new ArrayList<>();
        ends.forEach((partition, end) -> {
            OffsetAndMetadata position = positions.get(partition);
            if (end > (position == null ? 0 : position.offset())) {
                untaken.add(partition + " was taken in up to " + position + " only, and ended at " + end);
            }
        });
        if (clients.stream().anyMatch(client -> !client.isSettled())) {
            untaken.add("a client of the API was not answered");
        }
        return untaken;
    }

    /** Ends all troubles. */
    void calm() {
        trouble = 0;
        iterationsFailUntil = 0;
        processes.values().forEach(process -> {
            process.setClockError(0);
            process.spare();
        });
        seeToConnector();
        resume();
        askEachInstance();
    }

    /** Has an administrator resume the troubled cluster, which may have come to a standstill. */
    private void resume() {
        begin(new ApiClient.Wish(
                CLUSTER,
                new Principal("root", Optional.of(AccessLevel.ADMINISTRATOR)),
                "resume",
                RequestKind.CONTROL_SCHEDULER,
                "-",
                List.of(new NameValue("action", "resume")),
                0,
                false,
                0));
    }

    /** Asks each instance of the API a question that it alone has to answer. */
    private void askEachInstance() {
        for (int instance = 0; instance < 2; instance++) {
            begin(new ApiClient.Wish(
                    CLUSTER,
                    new Principal("admin", Optional.empty()),
                    "last-" + instance,
                    RequestKind.SHOW_PRIORITY,
                    "-",
                    List.of(),
                    0,
                    true,
                    instance));
        }
    }

    /** Says whether a process or what it needs is not back yet, or only just. */
    boolean isTroubled() {
        return turns.now() <= restartsUntil
                || turns.now() < machineAwayUntil
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

    /** How the resource managers of neighbours are. */
    private static final class GoodMood implements UnreliableMachine.Mood {
        @Override
        public boolean isAway() {
            return false;
        }

        @Override
        public int trouble() {
            return 0;
        }

        @Override
        public JobReport touched(JobReport job) {
            return job;
        }
    }

    private final class Mood implements UnreliableMachine.Mood {
        @Override
        public boolean isAway() {
            return turns.now() < machineAwayUntil;
        }

        @Override
        public int trouble() {
            return trouble;
        }

        @Override
        public JobReport touched(JobReport job) {
            Deed.WriteIntoJob write = written.get(job.getJobId());
            return write == null
                    ? job
                    : JobReport.newBuilder(job)
                            .setExtension(write.extension())
                            .setName(write.name())
                            .setStartAfter(write.startAfter())
                            .build();
        }
    }
}
