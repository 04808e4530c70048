package io.weir.loop;

import io.weir.loop.host.StreamFaults;
import io.weir.loop.host.StreamShape;
import io.weir.scheduler.stream.ClockMode;
import io.weir.scheduler.stream.RecordTimestamps;
import io.weir.scheduler.stream.SchedulerTopology;
import io.weir.scheduler.stream.StreamMetrics;
import io.weir.scheduler.stream.StreamSettings;
import io.weir.scheduler.stream.pacing.Backlog;
import io.weir.scheduler.stream.pacing.Pace;
import io.weir.scheduler.stream.quarantine.OutputLimits;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.topics.AvroCodec;
import io.weir.topics.ClusterPartitioner;
import io.weir.topics.EntityKey;
import io.weir.topics.FactHeaders;
import io.weir.topics.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What a scheduler of a site runs, and the faults planted into it: without some protections, and failing for a while on the
 * iterations of the troubled cluster or for ever on one input.
 */
final class SchedulerShape {
    /** As a scheduler's setting iteration.share.percent has it by default. */
    private static final int ITERATION_SHARE_PERCENT = 33;

    private final SortedSet<String> clusters;
    private final int partitions;
    private final StreamMetrics metrics;
    private final Set<Protection> without;
    private final LongSupplier now;
    private long iterationsFailUntil;

    /** Creates the shape for {@code clusters}; {@code now} is in microseconds. */
    SchedulerShape(
            Collection<String> clusters,
            int partitions,
            StreamMetrics metrics,
            Set<Protection> without,
            LongSupplier now) {
        this.clusters = new TreeSet<>(clusters);
        this.partitions = partitions;
        this.metrics = metrics;
        this.without = without;
        this.now = now;
    }

    /** Ends the failing of iterations. */
    void calm() {
        iterationsFailUntil = 0;
    }

    /** Returns the scheduler's topology, for one process. */
    StreamShape stream(AvroCodec codec) {
        StreamSettings settings = new StreamSettings(
                Site.NAMES,
                new TreeSet<>(clusters),
                new TreeSet<>(),
                partitions,
                ClockMode.WALL,
                Duration.ofMillis(200),
                Duration.ofMinutes(5),
                Duration.ofSeconds(5),
                false,
                "loop");
        Suspicions suspicions = new Suspicions();
        Backlog backlog = new Backlog();
        Pace pace = new Pace(backlog, () -> now.getAsLong() * 1_000, ITERATION_SHARE_PERCENT);
        boolean forgets = without.contains(Protection.QUARANTINE);
        return new StreamShape(
                SiteTopics.APPLICATION,
                SchedulerTopology.inputs().stream().map(Site.NAMES::full).toList(),
                SchedulerTopology.outputs().stream()
                        .collect(Collectors.toMap(SchedulerTopology::sinkName, Site.NAMES::full)),
                new RecordTimestamps(),
                () -> {
                    Suspicions remembered = forgets ? new Suspicions() : suspicions;
                    return SchedulerTopology.processors(
                            settings,
                            codec,
                            metrics,
                            remembered,
                            without.contains(Protection.SIZE_BUDGETS) ? OutputLimits.none() : new OutputLimits(),
                            pace);
                },
                backlog::read,
                ClusterPartitioner::partition);
    }

    /** Returns the faults of a stream. */
    StreamFaults faults() {
        UnaryOperator<ConsumerRecord<byte[], byte[]>> inputs = UnaryOperator.identity();
        if (without.contains(Protection.SEQUENCE)) {
            inputs = new Renumbering()::renumbered;
        } else if (without.contains(Protection.EPOCH)) {
            inputs = new Relabelling()::relabelled;
        }
        return new StreamFaults(without.contains(Protection.TRANSACTION), inputs, this::isFailing);
    }

    private boolean isFailing(Record<byte[], byte[]> output) {
        return isPlanted(output) || (now.getAsLong() < iterationsFailUntil && isIteration(output));
    }

    private static boolean isIteration(Record<byte[], byte[]> output) {
        return EntityKey.parse(output.key()).cluster().equals(Site.CLUSTER)
                && FactHeaders.KIND
                        .get(output.headers())
                        .filter(FactHeaders.KIND_ITERATION::equals)
                        .isPresent();
    }

    /** Has iterations of the troubled cluster fail for a while. */
    void failIterations(long millis) {
        iterationsFailUntil = now.getAsLong() + millis * 1_000;
    }

    /** Says whether {@code output} is the journal's copy of an input on which the scheduler is to fail. */
    private static boolean isPlanted(Record<byte[], byte[]> output) {
        return Arrays.equals(output.key(), Site.PLANTED.toBytes())
                && FactHeaders.SOURCE_TOPIC
                        .get(output.headers())
                        .filter(Topics.MONITORING_EVENTS.name()::equals)
                        .isPresent();
    }
}
