package io.weir.scheduler.reduction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.service.ProgressWatch;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The figures the reduction publishes about itself. Thread-safe. */
public final class ReductionMetrics {
    private final MeterRegistry registry;
    private final Counter taken;
    private final Counter letters;
    private final Counter reports;
    private final Counter unmatched;
    private final Map<Dropped, Counter> dropped = new EnumMap<>(Dropped.class);
    private final Map<TrackedMetric.Outcome, Counter> events = new EnumMap<>(TrackedMetric.Outcome.class);

    /** Nodes that are followed, by partition. */
    private final Map<Integer, Integer> nodes = new ConcurrentHashMap<>();

    /** Why a metric was passed over. */
    enum Dropped {
        /** It cannot be read, or breaks the bounds of its schema. */
        UNUSABLE,
        /** It belongs to no cluster of this installation. */
        STRANGER,
        /** Its node reported a later one before. */
        LATE,
        /** As many nodes as one partition may have are known already. */
        FULL
    }

    /** Registers the meters in {@code registry}. */
    public ReductionMetrics(MeterRegistry registry) {
        this.registry = registry;
        taken = Counter.builder("weir.reduction.metrics")
                .description("Metrics read")
                .register(registry);
        letters = Counter.builder("weir.reduction.dead.letters")
                .description("Metrics that went to the dead letters")
                .register(registry);
        reports = Counter.builder("weir.reduction.reports")
                .description("Reports of values to the scheduler")
                .register(registry);
        unmatched = Counter.builder("weir.reduction.unmatched")
                .description("Metrics of nodes that the scheduler does not know")
                .register(registry);
        Gauge.builder("weir.reduction.nodes", nodes, ReductionMetrics::sum)
                .description("Nodes with a metric that is followed")
                .register(registry);
        for (Dropped why : Dropped.values()) {
            dropped.put(why, droppedCounter(why.name().toLowerCase(Locale.ROOT)));
        }
        events.put(TrackedMetric.Outcome.RAISED, eventCounter("raised"));
        events.put(TrackedMetric.Outcome.REPEATED, eventCounter("repeated"));
        events.put(TrackedMetric.Outcome.OVER, eventCounter("over"));
    }

    /** Publishes for how long something has waited to be committed. */
    public void watch(ProgressWatch commits) {
        Gauge.builder("weir.reduction.commit.waiting", commits, ProgressWatch::longestSeconds)
                .description("For how long what was begun has waited to be committed")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    private Counter droppedCounter(String why) {
        return Counter.builder("weir.reduction.dropped")
                .tag("why", why)
                .description("Metrics passed over")
                .register(registry);
    }

    private Counter eventCounter(String change) {
        return Counter.builder("weir.reduction.events")
                .tag("change", change)
                .description("Events about conditions on metrics")
                .register(registry);
    }

    private static double sum(Map<Integer, Integer> parts) {
        return parts.values().stream().mapToInt(Integer::intValue).sum();
    }

    void taken() {
        taken.increment();
    }

    void dropped(Dropped why) {
        Counter counter = dropped.get(why);
        if (counter != null) {
            counter.increment();
        }
    }

    void letter() {
        letters.increment();
    }

    void report() {
        reports.increment();
    }

    void unmatched() {
        unmatched.increment();
    }

    void event(TrackedMetric.Outcome outcome) {
        Counter counter = events.get(outcome);
        if (counter != null) {
            counter.increment();
        }
    }

    void nodes(int partition, int count) {
        nodes.put(partition, count);
    }
}
