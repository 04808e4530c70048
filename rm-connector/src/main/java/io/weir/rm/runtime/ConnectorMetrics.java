package io.weir.rm.runtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.rm.runtime.fact.PublishedPoll;
import io.weir.rm.spi.VirtualTime.Progress;
import io.weir.schemas.CommandOutcome;
import io.weir.service.ProgressWatch;
import io.weir.service.Readiness;
import io.weir.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the runner does into metrics and readiness: ready means that the last attempt to poll was published, and none
 * waits for long to be.
 */
final class ConnectorMetrics implements RunnerListener {
    private final MeterRegistry meters;
    private final Readiness.Condition polling;
    private final AtomicLong epoch = new AtomicLong(-1);
    private final AtomicLong rmTime = new AtomicLong();
    private final AtomicLong problems = new AtomicLong();
    private final AtomicLong behind = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong total = new AtomicLong();
    private final Counter polls;
    private final Counter nodeReports;
    private final Counter jobReports;
    private final Counter unreadable;
    private final Counter rmFailures;
    private final Counter logFailures;

    /** Publishes as {@code meters} and {@code readiness}; {@code publication} knows how facts are taken. */
    ConnectorMetrics(MeterRegistry meters, Readiness readiness, ProgressWatch publication) {
        this.meters = meters;
        this.polling = readiness.declare("polling");
        readiness.declare("publication", publication::obstacle);
        Gauge.builder("weir.connector.publication.waiting", publication, ProgressWatch::longestSeconds)
                .description("For how long what was seen has waited to be published")
                .baseUnit("seconds")
                .strongReference(true)
                .register(meters);
        meters.gauge("weir.connector.epoch", epoch);
        meters.gauge("weir.connector.rm.time.seconds", rmTime);
        meters.gauge("weir.connector.problems", problems);
        meters.gauge("weir.connector.scheduler.behind.seconds", behind);
        meters.gauge("weir.connector.simulation.jobs.ended", ended);
        meters.gauge("weir.connector.simulation.jobs.total", total);
        polls = meters.counter("weir.connector.polls");
        nodeReports = meters.counter("weir.connector.reports", "topic", Topics.RM_NODES.name());
        jobReports = meters.counter("weir.connector.reports", "topic", Topics.RM_JOBS.name());
        unreadable = meters.counter("weir.connector.dead.letters");
        rmFailures = meters.counter("weir.connector.failures", "of", "rm");
        logFailures = meters.counter("weir.connector.failures", "of", "log");
    }

    @Override
    public void epochOpened(long opened) {
        epoch.set(opened);
    }

    @Override
    public void polled(PublishedPoll poll, Instant time, @Nullable Progress progress) {
        polls.increment();
        nodeReports.increment(poll.nodes());
        jobReports.increment(poll.jobs());
        rmTime.set(time.getEpochSecond());
        if (progress != null) {
            ended.set(progress.ended());
            total.set(progress.total());
        }
        polling.met();
    }

    @Override
    public void schedulerBehind(Duration delay) {
        behind.set(delay.toSeconds());
    }

    @Override
    public void problems(long count) {
        problems.set(count);
    }

    @Override
    public void answered(CommandOutcome outcome) {
        meters.counter("weir.connector.commands", "outcome", outcome.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    @Override
    public void unreadable() {
        unreadable.increment();
    }

    @Override
    public void rmAway() {
        rmFailures.increment();
        polling.unmet("the resource manager is away");
    }

    @Override
    public void logAway() {
        logFailures.increment();
        polling.unmet("the log is away");
    }
}
