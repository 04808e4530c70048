package io.weir.scheduler.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weir.scheduler.stream.pacing.Overload;
import io.weir.scheduler.stream.quarantine.Suspicions;
import io.weir.schemas.Quarantine;
import io.weir.schemas.RequestOutcome;
import io.weir.service.ProgressWatch;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The figures the stream publishes about itself; thread-safe, shared by all tasks. Counters count attempts: work that an
 * aborted transaction repeats is counted again.
 */
public final class StreamMetrics {
    private final MeterRegistry registry;
    private final Counter inputs;
    private final Counter duplicates;
    private final Counter stale;
    private final Counter gaps;
    private final Timer iterations;
    /** Inputs read and not taken in yet by partition. */
    private final Map<Integer, Integer> backlog = new ConcurrentHashMap<>();
    /** Since when inputs wait by partition. */
    private final Map<Integer, Overload> overloads = new ConcurrentHashMap<>();
    /** Waiting heartbeats by partition. */
    private final Map<Integer, Integer> held = new ConcurrentHashMap<>();
    /** Parked facts by partition. */
    private final Map<Integer, Integer> parked = new ConcurrentHashMap<>();
    /** Objects set aside by partition. */
    private final Map<Integer, Integer> aside = new ConcurrentHashMap<>();
    /** Clusters whose plan goes on behind the last slice of the queue by partition. */
    private final Map<Integer, Integer> unfinished = new ConcurrentHashMap<>();
    /** Clusters whose state could not be restored by partition. */
    private final Map<Integer, Integer> unrestored = new ConcurrentHashMap<>();

    private final StandingTime standing = new StandingTime();

    /** Registers the meters in {@code registry}. */
    public StreamMetrics(MeterRegistry registry) {
        this.registry = registry;
        inputs = Counter.builder("weir.inputs")
                .description("Inputs accepted and journaled")
                .register(registry);
        duplicates = dropped("duplicate");
        stale = dropped("stale");
        gaps = Counter.builder("weir.gaps")
                .description("Heartbeats given up because facts they count were lost")
                .register(registry);
        iterations = Timer.builder("weir.iteration")
                .description("Time from the start of an iteration to its last output")
                .publishPercentiles(0.5, 0.99)
                .register(registry);
        Gauge.builder("weir.inputs.waiting", backlog, StreamMetrics::sum)
                .description("Inputs read from the topics and not taken in yet")
                .register(registry);
        Gauge.builder("weir.inputs.waiting.seconds", overloads, StreamMetrics::longest)
                .description("For how long inputs have waited without a break")
                .register(registry);
        Gauge.builder("weir.heartbeats.held", held, StreamMetrics::sum)
                .description("Heartbeats that wait for facts they count")
                .register(registry);
        Gauge.builder("weir.facts.parked", parked, StreamMetrics::sum)
                .description("Inputs that wait for nodes, for their epoch or for the schema registry")
                .register(registry);
        Gauge.builder("weir.quarantine.objects", aside, StreamMetrics::sum)
                .description("Jobs, nodes, standing reservations and clusters that are set aside now")
                .register(registry);
        Gauge.builder("weir.plans.unfinished", unfinished, StreamMetrics::sum)
                .description("Clusters whose queue is being planned in slices and not to its end yet")
                .register(registry);
        Gauge.builder("weir.clusters.unrestored", unrestored, StreamMetrics::sum)
                .description("Clusters whose state could not be restored; their inputs become dead letters")
                .register(registry);
    }

    private Counter dropped(String why) {
        return Counter.builder("weir.dropped")
                .tag("why", why)
                .description("Facts dropped: duplicates, and those of an older epoch")
                .register(registry);
    }

    /** Says of which clusters the time stands still. */
    public StandingTime standingTime() {
        return standing;
    }

    void accepted() {
        inputs.increment();
    }

    void duplicate() {
        duplicates.increment();
    }

    void stale(long facts) {
        stale.increment((double) facts);
    }

    void gap() {
        gaps.increment();
    }

    void iterated(Duration took) {
        iterations.record(took);
    }

    void deadLetter(String cause) {
        Counter.builder("weir.dead.letters")
                .tag("cause", cause)
                .description("Inputs sent to the dead letters")
                .register(registry)
                .increment();
    }

    /** Publishes for how long something has waited to be committed. */
    public void watch(ProgressWatch commits) {
        Gauge.builder("weir.commit.waiting", commits, ProgressWatch::longestSeconds)
                .description("For how long what was begun has waited to be committed")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
    }

    /** Publishes how many clusters {@code suspicions} keeps from iterating. */
    public void watch(Suspicions suspicions) {
        Gauge.builder(
                        "weir.clusters.halted",
                        suspicions,
                        halted -> halted.halted().size())
                .description("Clusters without iterations, as these fail whatever is set aside")
                .register(registry);
    }

    void quarantined(Quarantine quarantine) {
        Counter.builder("weir.quarantine")
                .tag("kind", quarantine.getKind().name().toLowerCase(Locale.ROOT))
                .tag("change", quarantine.getLifted() ? "lifted" : "set_aside")
                .description(
                        "Inputs and objects set aside because the scheduler fails on them, and taken back by a new build")
                .register(registry)
                .increment();
    }

    void answered(RequestOutcome outcome) {
        Counter.builder("weir.requests")
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .description("Requests answered by iterations: carried out, or refused")
                .register(registry)
                .increment();
    }

    void waiting(int partition, int inputs, int heartbeats, int facts, int objects) {
        backlog.put(partition, inputs);
        held.put(partition, heartbeats);
        parked.put(partition, facts);
        aside.put(partition, objects);
    }

    void unfinishedPlans(int partition, int clusters) {
        unfinished.put(partition, clusters);
    }

    /** Publishes for how long inputs of {@code partition} have waited. */
    void watch(int partition, Overload overload) {
        overloads.put(partition, overload);
    }

    void restored(int partition, int failed) {
        unrestored.put(partition, failed);
    }

    private static double longest(Map<Integer, Overload> byPartition) {
        return byPartition.values().stream()
                .mapToDouble(overload -> overload.lasts().toMillis() / 1000.0)
                .max()
                .orElse(0);
    }

    private static double sum(Map<Integer, Integer> byPartition) {
        return byPartition.values().stream().mapToInt(Integer::intValue).sum();
    }
}
