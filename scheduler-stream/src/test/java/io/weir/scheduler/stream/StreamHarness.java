package io.weir.scheduler.stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.scheduler.audit.InMemoryRecordLog;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.store.DeferringStore;
import io.weir.scheduler.stream.store.Stores;
import io.weir.schemas.DeadLetter;
import io.weir.schemas.Iteration;
import io.weir.topics.AvroCodec;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topic;
import io.weir.topics.TopicNames;
import io.weir.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedForward;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The processor of one task over stores and topics in memory, with a clock that moves when told. It can be initialised
 * again, started anew over its stores, and thrown back to an earlier commit.
 */
public final class StreamHarness implements AutoCloseable {
    public static final String CLUSTER = "alpha";
    public static final TopicNames NAMES = new TopicNames("weir.");

    public final AvroCodec codec;
    public final InMemoryRecordLog log = new InMemoryRecordLog();
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final StreamMetrics metrics = new StreamMetrics(meters);

    private Suspicions suspicions = new Suspicions();
    private final Function<String, ClusterScheduler> cores;
    private final Backlog backlog = new Backlog();
    /** Elapsed time, in nanoseconds. */
    private long nanos;

    private final Pace pace = new Pace(backlog, () -> nanos, 25);
    /** When a punctuation last ran, or was first seen, in milliseconds. */
    private final Map<CapturedPunctuator, Long> ran = new IdentityHashMap<>();

    private final OutputLimits limits;
    private StreamSettings settings;
    private final KeyValueStore<String, byte[]> storedEntities = store(Stores.ENTITIES);
    private final KeyValueStore<String, byte[]> stored = store(Stores.INTAKE);
    private final DeferringStore entities = new DeferringStore(storedEntities);
    private final DeferringStore intake = new DeferringStore(stored);
    private MockProcessorContext<byte[], byte[]> context;
    private ClusterProcessor processor;
    private long time = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
    private int commits;

    public StreamHarness(StreamSettings settings) {
        this(settings, ClusterScheduler::new, new OutputLimits());
    }

    /** Makes the cores of clusters by {@code cores}. */
    StreamHarness(StreamSettings settings, Function<String, ClusterScheduler> cores, OutputLimits limits) {
        this(
                settings,
                cores,
                limits,
                new AvroCodec(NAMES, Map.of("schema.registry.url", "mock://" + UUID.randomUUID())));
    }

    /** Decodes by {@code codec}, and closes it. */
    StreamHarness(
            StreamSettings settings, Function<String, ClusterScheduler> cores, OutputLimits limits, AvroCodec codec) {
        this.codec = codec;
        this.settings = settings;
        this.cores = cores;
        this.limits = limits;
        start();
    }

    public static StreamHarness rm() {
        return new StreamHarness(settings(ClockMode.RM, false));
    }

    public static StreamHarness wall() {
        return new StreamHarness(settings(ClockMode.WALL, false));
    }

    public static StreamSettings settings(ClockMode clock, boolean foreignReports) {
        return new StreamSettings(
                NAMES,
                new TreeSet<>(Set.of(CLUSTER, "beta")),
                new TreeSet<>(),
                1,
                clock,
                Duration.ofMillis(4),
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                foreignReports,
                "test");
    }

    private static KeyValueStore<String, byte[]> store(String name) {
        return org.apache.kafka.streams.state.Stores.keyValueStoreBuilder(
                        org.apache.kafka.streams.state.Stores.inMemoryKeyValueStore(name),
                        Serdes.String(),
                        Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingDisabled()
                .build();
    }

    /** Starts a new processor over the stores as they are, as after a restart of the process. */
    public void start() {
        flushCaches();
        newContext();
        processor = new ClusterProcessor(settings, codec, metrics, task -> {}, suspicions, cores, limits, pace);
        processor.init(context);
    }

    /** Starts again after {@code stopped}, in which no scheduler ran. */
    void startAfter(Duration stopped) {
        time += stopped.toMillis();
        start();
    }

    /** Empties the store of the entities. */
    void loseEntities() {
        flushCaches();
        List<String> keys = new ArrayList<>();
        try (KeyValueIterator<String, byte[]> all = storedEntities.all()) {
            all.forEachRemaining(entry -> keys.add(entry.key));
        }
        keys.forEach(storedEntities::delete);
    }

    /** Forgets where the journal of the cluster stands. */
    void loseJournalStatus() {
        flushCaches();
        stored.delete(CLUSTER + "/journal");
    }

    private void flushCaches() {
        entities.flushCache();
        intake.flushCache();
    }

    /** Starts over the stores as they are in another process, with settings of its own. */
    void takeOver(StreamSettings other) {
        settings = other;
        takeOver();
    }

    /** Starts over the stores as they are in another process, which knows nothing of what failed in this one. */
    void takeOver() {
        suspicions = new Suspicions();
        start();
    }

    /** Initialises the same processor again, as Kafka Streams does after an aborted transaction. */
    public void initAgain() {
        processor.close();
        flushCaches();
        newContext();
        processor.init(context);
    }

    private void newContext() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        context = new MockProcessorContext<>(
                properties, new TaskId(0, 0), Path.of("target", "harness").toFile());
        context.setCurrentSystemTimeMs(time);
        if (!entities.isOpen()) {
            entities.init(context.getStateStoreContext(), entities);
            intake.init(context.getStateStoreContext(), intake);
        } else {
            context.addStateStore(entities);
            context.addStateStore(intake);
        }
    }

    /** Returns the contents of the stores and the ends of the topics written so far: what a commit makes durable. */
    public Committed committed() {
        flushCaches();
        Map<String, Integer> ends = new LinkedHashMap<>();
        SchedulerTopology.outputs()
                .forEach(topic -> ends.put(
                        NAMES.full(topic), log.records(NAMES.full(topic)).size()));
        return new Committed(contents(storedEntities), contents(stored), ends);
    }

    /** Throws everything back to {@code commit}, as an aborted transaction does. */
    public void abortTo(Committed commit) {
        replace(storedEntities, commit.entities());
        entities.clearCache();
        intake.clearCache();
        replace(stored, commit.intake());
        commit.ends().forEach((topic, end) -> {
            List<ConsumerRecord<byte[], byte[]>> records = log.records(topic);
            records.subList(end, records.size()).clear();
        });
    }

    /** Throws everything back to {@code commit} and starts a new processor, as the service does after a failure. */
    public void abort(Committed commit) {
        context.resetForwards();
        abortTo(commit);
        start();
    }

    /** Puts in place of what the stores hold what another build would have stored. */
    public void rewriteStores(BiConsumer<Map<String, byte[]>, Map<String, byte[]>> build) {
        flushCaches();
        Map<String, byte[]> newEntities = contents(storedEntities);
        Map<String, byte[]> newIntake = contents(stored);
        build.accept(newEntities, newIntake);
        replace(storedEntities, newEntities);
        replace(stored, newIntake);
    }

    private static Map<String, byte[]> contents(KeyValueStore<String, byte[]> store) {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        try (KeyValueIterator<String, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> contents.put(entry.key, entry.value));
        }
        return contents;
    }

    private static void replace(KeyValueStore<String, byte[]> store, Map<String, byte[]> contents) {
        contents(store).keySet().forEach(store::delete);
        contents.forEach(store::put);
    }

    public record Committed(Map<String, byte[]> entities, Map<String, byte[]> intake, Map<String, Integer> ends) {}

    /** Writes a record to an input topic without delivering it. */
    public ConsumerRecord<byte[], byte[]> write(
            Topic<?> topic, byte[] key, byte[] value, long timestamp, Headers headers) {
        return log.append(NAMES.full(topic), key, value, timestamp, headers);
    }

    public <T extends SpecificRecord> ConsumerRecord<byte[], byte[]> write(
            Topic<T> topic, String key, T value, Headers headers) {
        return write(topic, key.getBytes(StandardCharsets.UTF_8), codec.encode(topic, value), time, headers);
    }

    /** Has the consumer read written records, which then wait to be delivered. */
    void read(ConsumerRecord<byte[], byte[]> record) {
        backlog.read(new ConsumerRecords<>(
                Map.of(new TopicPartition(record.topic(), record.partition()), List.of(record)), Map.of()));
    }

    /** Has elapsed time, by which iterations are paced, go on. */
    void spend(Duration elapsed) {
        nanos += elapsed.toNanos();
    }

    /** Delivers a written record to the processor. */
    public void deliver(ConsumerRecord<byte[], byte[]> record) {
        context.setRecordMetadata(record.topic(), record.partition(), record.offset());
        long timestamp = new RecordTimestamps().extract(cast(record), 0);
        processor.process(new Record<>(record.key(), record.value(), timestamp, record.headers()));
        collect();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ConsumerRecord<Object, Object> cast(ConsumerRecord record) {
        return (ConsumerRecord<Object, Object>) record;
    }

    /** Returns what is said of clusters whose time stands still. */
    public Optional<String> standingTime() {
        return metrics.standingTime().obstacle();
    }

    /**
     * Moves the clock and lets the punctuation run; but when the clock is set back, only what is scheduled anew runs before
     * it has caught up, as under Kafka Streams.
     */
    public void advance(Duration by) {
        List<CapturedPunctuator> scheduled = context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList();
        scheduled.forEach(punctuator -> ran.putIfAbsent(punctuator, time));
        time += by.toMillis();
        context.setCurrentSystemTimeMs(time);
        for (CapturedPunctuator punctuator : scheduled) {
            if (time >= Objects.requireNonNull(ran.get(punctuator))) {
                ran.put(punctuator, time);
                punctuator.getPunctuator().punctuate(time);
            }
        }
        collect();
    }

    private void collect() {
        for (CapturedForward<? extends byte[], ? extends byte[]> forward : context.forwarded()) {
            Record<? extends byte[], ? extends byte[]> record = forward.record();
            String sink = forward.childName().orElseThrow();
            log.append(
                    NAMES.full(Topics.byName(sink.substring("to-".length())).orElseThrow()),
                    record.key(),
                    record.value(),
                    record.timestamp(),
                    record.headers());
        }
        context.resetForwards();
        if (context.committed()) {
            commits++;
            context.resetCommit();
        }
    }

    /** Returns how often what is scheduled now runs. */
    List<Duration> intervals() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .map(CapturedPunctuator::getInterval)
                .toList();
    }

    /** Returns the stored state of a cluster's core. */
    List<Change> state(String cluster) {
        flushCaches();
        return new Stores(entities, intake, limits)
                .load(List.of(cluster), 0)
                .of(cluster)
                .entities();
    }

    /** Returns what a meter shows that has these tags. */
    public double meter(String name, String... tags) {
        return meters.get(name).tags(tags).meter().measure().iterator().next().getValue();
    }

    /** Returns the clusters without iterations, with what they failed on. */
    public Map<String, String> halted() {
        return suspicions.halted();
    }

    public Instant now() {
        return Instant.ofEpochMilli(time);
    }

    public int commits() {
        return commits;
    }

    public StreamSettings settings() {
        return settings;
    }

    /** Returns the decoded values of an output topic, tombstones left out. */
    public <T extends SpecificRecord> List<T> read(Topic<T> topic) {
        List<T> values = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : log.records(NAMES.full(topic))) {
            if (record.value() != null) {
                values.add(codec.decode(topic, record.value()));
            }
        }
        return values;
    }

    public List<Iteration> iterations() {
        List<Iteration> iterations = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : log.records(NAMES.full(Topics.JOURNAL))) {
            if (FactHeaders.KIND.get(record.headers()).orElseThrow().equals(FactHeaders.KIND_ITERATION)) {
                iterations.add(codec.decode(Topics.JOURNAL, record.value()));
            }
        }
        return iterations;
    }

    public List<String> causes() {
        return read(Topics.DEAD_LETTERS).stream().map(DeadLetter::getCause).toList();
    }

    public long journaledInputs() {
        return log.records(NAMES.full(Topics.JOURNAL)).stream()
                .filter(record ->
                        FactHeaders.KIND.get(record.headers()).orElseThrow().equals(FactHeaders.KIND_INPUT))
                .count();
    }

    public double dropped(String why) {
        return meters.get("weir.dropped").tag("why", why).counter().count();
    }

    public static Headers noHeaders() {
        return new RecordHeaders();
    }

    @Override
    public void close() {
        processor.close();
        codec.close();
    }
}
