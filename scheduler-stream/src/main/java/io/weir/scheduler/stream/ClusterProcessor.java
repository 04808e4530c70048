package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.RecordSink;
import io.weir.scheduler.stream.pacing.Overload;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.pacing.Pacing;
import io.weir.scheduler.stream.quarantine.CurrentStep;
import io.weir.scheduler.stream.quarantine.FailureOrigin;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicion;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.scheduler.stream.quarantine.TaskStep;
import io.weir.scheduler.stream.store.StoredState;
import io.weir.scheduler.stream.store.Stores;
import io.weir.scheduler.stream.store.UnreadableStateException;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one processor of a task: all clusters of a partition. It keeps nothing across {@link #init}, which Kafka Streams
 * calls again on this very object after an aborted transaction: everything is rebuilt from the stores. A call of
 * {@link #process} or one punctuation is the unit between two of which a commit may fall.
 *
 * <p>A task found corrupted in the middle of such a unit, or in which the broker keeps it waiting for too long, stops the
 * stream rather than being revived in place: before it revives a task, Kafka Streams 4.3 commits whatever the thread's
 * transaction holds, half a unit included.
 */
final class ClusterProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger log = LoggerFactory.getLogger(ClusterProcessor.class);
    private static final Duration SLOW_TICK = Duration.ofSeconds(1);

    private final StreamSettings settings;
    private final AvroCodec codec;
    private final StreamMetrics metrics;
    private final Consumer<TaskId> starts;
    private final Suspicions suspicions;
    private final Function<String, ClusterScheduler> cores;
    private final OutputLimits limits;
    private final Pace pace;
    private final CurrentStep step = new CurrentStep();
    private @Nullable ProcessorContext<byte[], byte[]> context;
    private @Nullable Intake intake;
    private @Nullable Ticks ticks;
    private @Nullable Pacing pacing;
    private @Nullable Overload overload;

    private @Nullable Stores stored;

    /** Whether the state was written anew to the topics that keep it, in the transaction before the next tick. */
    private boolean rewrote;

    /**
     * Creates a processor.
     *
     * @param starts is told of every initialisation and may refuse it
     * @param suspicions what failed before this start of the stream
     * @param cores makes the empty core of a cluster
     * @param limits how large records may be
     * @param pace how iterations are paced
     */
    ClusterProcessor(
            StreamSettings settings,
            AvroCodec codec,
            StreamMetrics metrics,
            Consumer<TaskId> starts,
            Suspicions suspicions,
            Function<String, ClusterScheduler> cores,
            OutputLimits limits,
            Pace pace) {
        this.settings = settings;
        this.codec = codec;
        this.metrics = metrics;
        this.starts = starts;
        this.suspicions = suspicions;
        this.cores = cores;
        this.limits = limits;
        this.pace = pace;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> taskContext) {
        cancelTicks();
        starts.accept(taskContext.taskId());
        context = taskContext;
        int partition = taskContext.taskId().partition();
        Stores stores = new Stores(
                taskContext.getStateStore(Stores.ENTITIES), taskContext.getStateStore(Stores.INTAKE), limits);
        List<String> clusters = settings.clusters().stream()
                .filter(cluster -> ClusterPartitioner.partition(cluster, settings.partitions()) == partition)
                .toList();
        RecordSink sink = new ContextSink(taskContext, limits);
        InputDecoder decoder = new InputDecoder(codec);
        DeadLetters deadLetters = new DeadLetters(codec, sink, taskContext::currentSystemTimeMs, metrics);
        StoredState loaded = stores.load(clusters, partition);
        refuseUnlisted(loaded.held());
        for (String cluster : clusters) {
            MissingStateException.check(loaded.of(cluster));
        }
        stored = stores;
        rewrote = false;
        InputPositions positions = new InputPositions(settings.names(), loaded.partition(), pace.backlog());
        Pacing paced = new Pacing(pace, positions::inputsWait);
        pacing = paced;
        SortedMap<String, ClusterIntake> intakes = new TreeMap<>();
        SortedMap<String, String> unrestored = new TreeMap<>();
        for (String cluster : clusters) {
            try {
                intakes.put(
                        cluster, restored(loaded.of(cluster), stores, sink, deadLetters, decoder, paced, taskContext));
            } catch (RuntimeException | Error e) {
                if (FailureOrigin.of(e) == FailureOrigin.MACHINE) {
                    throw e;
                }
                log.error("The state cannot be restored, what comes becomes dead letters: domain={}", cluster, e);
                unrestored.put(cluster, Suspicion.after(null, false, e).text());
            }
        }
        if (intakes.isEmpty() && !unrestored.isEmpty()) {
            throw new UnreadableStateException("The state cannot be restored of any cluster here: " + unrestored, null);
        }
        metrics.restored(partition, unrestored.size());
        overload = new Overload(partition, pace.nanos());
        metrics.watch(partition, overload);
        intake = new Intake(
                settings,
                stores,
                decoder,
                deadLetters,
                intakes,
                unrestored,
                loaded,
                positions,
                suspicions,
                step,
                limits,
                () -> Instant.ofEpochMilli(taskContext.currentSystemTimeMs()));
        ticks = new Ticks(taskContext, tickInterval(), this::tick);
        ticks.start();
        report(taskContext, intake);
    }

    /** Takes nothing in where it would throw away what comes for a cluster that has been scheduled so far. */
    private void refuseUnlisted(SortedSet<String> held) {
        SortedSet<String> unlisted = new TreeSet<>(held);
        unlisted.removeAll(settings.clusters());
        unlisted.removeAll(settings.givenUp());
        if (!unlisted.isEmpty()) {
            throw new UnlistedClusterException(unlisted, settings.clusters());
        }
    }

    /** Rebuilds a cluster from what the stores held. */
    private ClusterIntake restored(
            StoredState.OfCluster state,
            Stores stores,
            RecordSink sink,
            DeadLetters deadLetters,
            InputDecoder decoder,
            Pacing paced,
            ProcessorContext<byte[], byte[]> taskContext) {
        ClusterTask task =
                new ClusterTask(cores.apply(state.cluster()), state, stores, sink, codec, metrics, settings.build());
        ClusterIntake clusterIntake = new ClusterIntake(
                task,
                stores,
                deadLetters,
                codec,
                metrics,
                settings,
                taskContext.taskId().partition(),
                suspicions,
                step,
                cores,
                limits,
                paced,
                () -> Instant.ofEpochMilli(taskContext.currentSystemTimeMs()));
        clusterIntake.restore(state, decoder);
        log.info(
                "Cluster ready: domain={} iteration={} journalSequence={} entities={} parked={} setAside={}",
                state.cluster(),
                task.chain().iteration(),
                task.chain().sequence(),
                state.entities().size(),
                clusterIntake.parkedCount(),
                clusterIntake.setAsideCount());
        return clusterIntake;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        ProcessorContext<byte[], byte[]> taskContext = initialised(context);
        initialised(ticks).watchClock();
        RecordMetadata origin = taskContext
                .recordMetadata()
                .orElseThrow(() -> new IllegalStateException("A record without origin reached the processor"));
        String topic = settings.names()
                .base(origin.topic())
                .orElseThrow(() -> new IllegalStateException("Topic " + origin.topic() + " lacks the prefix '"
                        + settings.names().prefix() + "'"));
        Input input = new Input(
                topic,
                origin.partition(),
                origin.offset(),
                RecordTimestamps.asReceived(record.timestamp(), record.headers()),
                RecordTimestamps.headersAsReceived(record.headers()),
                record.key(),
                record.value());
        whole(taskContext, current -> current.receive(input));
    }

    @Override
    public void close() {
        cancelTicks();
        intake = null;
    }

    private void tick() {
        ProcessorContext<byte[], byte[]> taskContext = initialised(context);
        rewrite(taskContext);
        whole(taskContext, Intake::tick);
        report(taskContext, initialised(intake));
    }

    /** Writes the state to the topics that keep it, if they have lost it. */
    private void rewrite(ProcessorContext<byte[], byte[]> taskContext) {
        int partition = taskContext.taskId().partition();
        if (rewrote) {
            settings.rewriting().done(partition);
            log.warn("The state was written anew to the topics that keep it: task={}", taskContext.taskId());
            rewrote = false;
        } else if (settings.rewriting().isDue(partition)) {
            Stores everything = initialised(stored);
            whole(taskContext, current -> everything.rewrite());
            taskContext.commit();
            rewrote = true;
        }
    }

    /**
     * Does {@code unit} and sees to it that half of one is never committed. When it fails by what it worked on, that is
     * noted, and the stream begins again from the last commit.
     */
    private void whole(ProcessorContext<byte[], byte[]> taskContext, Consumer<Intake> unit) {
        Intake current = initialised(intake);
        initialised(pacing).unitBegins();
        step.set(TaskStep.NONE);
        try {
            unit.accept(current);
        } catch (TaskCorruptedException | TimeoutException e) {
            // Of one that a punctuation throws, Kafka Streams makes the other.
            throw new StreamRestartException("Task " + taskContext.taskId() + " was corrupted in mid-work", e);
        } catch (RuntimeException | Error e) {
            if (FailureOrigin.of(e) == FailureOrigin.WORK && suspicions.note(step.get(), e)) {
                throw new StreamRestartException("Task " + taskContext.taskId() + " failed on what it worked on", e);
            }
            throw e;
        }
    }

    /** Tells the meters what waits; with every tick, since it costs too much for every input. */
    private void report(ProcessorContext<byte[], byte[]> taskContext, Intake current) {
        int backlog = current.backlog();
        initialised(overload).note(backlog);
        metrics.waiting(
                taskContext.taskId().partition(),
                backlog,
                current.heldCount(),
                current.parkedCount(),
                current.setAsideCount());
        metrics.unfinishedPlans(taskContext.taskId().partition(), current.unfinishedPlans());
    }

    private Duration tickInterval() {
        if (settings.clock() == ClockMode.RM) {
            return min(SLOW_TICK, settings.gapTimeout());
        }
        Duration half = settings.coalesce().dividedBy(2);
        return min(SLOW_TICK, half.toMillis() < 1 ? Duration.ofMillis(1) : half);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void cancelTicks() {
        if (ticks != null) {
            ticks.stop();
            ticks = null;
        }
    }

    private static <T> T initialised(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The processor is not initialised");
        }
        return value;
    }

    /** Sends to the sink node named after the topic. */
    private record ContextSink(ProcessorContext<byte[], byte[]> context, OutputLimits limits) implements RecordSink {
        @Override
        public void send(
                Topic<?> topic, byte @Nullable [] key, byte @Nullable [] value, long timestamp, Headers headers) {
            limits.check(topic, key, value, headers);
            context.forward(new Record<>(key, value, timestamp, headers), SchedulerTopology.sinkName(topic));
        }

        @Override
        public void requestCommit() {
            context.commit();
        }
    }
}
