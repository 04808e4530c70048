package io.weir.scheduler.stream;

import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.iteration.IterationResult;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.journal.ClosedIteration;
import io.weir.scheduler.journal.Input;
import io.weir.scheduler.journal.JournalChain;
import io.weir.scheduler.journal.JournalWriter;
import io.weir.scheduler.journal.OutputRecord;
import io.weir.scheduler.journal.RecordSink;
import io.weir.scheduler.stream.store.StoredState;
import io.weir.scheduler.stream.store.Stores;
import io.weir.schemas.HeartbeatReference;
import io.weir.schemas.IterationTrigger;
import io.weir.schemas.Quarantine;
import io.weir.schemas.RequestResult;
import io.weir.topics.AvroCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster in a task: its core and the end of its journal. Whatever is applied goes to the journal, to the core and to
 * the stores, in that order, within one call. Owned by the stream thread; thrown away and made anew whenever the task is
 * initialised.
 */
final class ClusterTask {
    private static final Logger log = LoggerFactory.getLogger(ClusterTask.class);

    private final String cluster;
    private final ClusterScheduler core;
    private final JournalWriter journal;
    private final Stores stores;
    private final RecordSink sink;
    private final StreamMetrics metrics;
    private boolean chainMoved;

    /** Rebuilds the cluster in {@code core}, an empty one, from what the stores held. */
    ClusterTask(
            ClusterScheduler core,
            StoredState.OfCluster stored,
            Stores stores,
            RecordSink sink,
            AvroCodec codec,
            StreamMetrics metrics,
            String build) {
        this.cluster = stored.cluster();
        this.core = core;
        stored.entities().forEach(core::replay);
        this.journal = new JournalWriter(cluster, stored.journal(), codec, sink, build);
        this.stores = stores;
        this.sink = sink;
        this.metrics = metrics;
    }

    String cluster() {
        return cluster;
    }

    /** Says why the core will not take {@code fact}; empty when it will. */
    Optional<Rejection> check(Fact fact) {
        return core.check(fact);
    }

    /** Journals and applies an input that was checked; returns what it changed. */
    List<Change> apply(Input input, Fact fact) {
        journal.write(input);
        List<Change> changes = core.apply(fact);
        stores.put(cluster, changes);
        chainMoved = true;
        metrics.accepted();
        return changes;
    }

    /**
     * Runs an iteration for {@code now} and puts out what it decided.
     *
     * @param listened whether facts have been taken in for {@link #patience()}
     */
    void iterate(Instant now, boolean listened, IterationTrigger trigger, @Nullable HeartbeatReference answers) {
        long started = System.nanoTime();
        IterationResult result = core.iterate(now, listened);
        ClosedIteration closed = journal.close(result, trigger, answers);
        stores.put(cluster, result.changes());
        journal.write(closed);
        countAnswers(closed);
        chainMoved = true;
        if (answers != null || !closed.outputs().isEmpty()) {
            sink.requestCommit();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - started);
        metrics.iterated(took);
        report(closed, took);
    }

    /** Has stored where the journal stands, if it moved since the last call. */
    void flush() {
        if (chainMoved) {
            stores.journalAtCommit(cluster, () -> journal.chain().status());
            chainMoved = false;
        }
    }

    /** Returns for how long the scheduler has to listen before silence of a resource manager counts; zero where it never does. */
    Duration patience() {
        return Duration.ofSeconds(core.patienceSeconds());
    }

    /** Returns whether an iteration is due once the scheduler has listened that long. */
    boolean awaitsListening() {
        return core.awaitsListening();
    }

    /** Returns the whole state; replayed on an empty core it gives a copy. */
    List<Change> snapshot() {
        return core.snapshot();
    }

    /** Returns what is set aside. */
    List<Quarantine> quarantined() {
        return core.quarantined();
    }

    /** Says whether the cluster's plan goes on behind the last slice of the queue. */
    boolean isPlanUnfinished() {
        return core.isPlanUnfinished();
    }

    int setAsideCount() {
        return core.quarantinedCount();
    }

    /** Returns the end of the journal, for reading. */
    JournalChain chain() {
        return journal.chain();
    }

    private void countAnswers(ClosedIteration closed) {
        for (OutputRecord output : closed.outputs()) {
            if (output.value() instanceof RequestResult answer) {
                metrics.answered(answer.getOutcome());
            }
        }
    }

    private void report(ClosedIteration closed, Duration took) {
        if (!closed.outputs().isEmpty() && log.isDebugEnabled()) {
            log.debug(
                    "Iteration: domain={} iteration={} now={} trigger={} outputs={} nextWake={} micros={}",
                    cluster,
                    closed.iteration().getNumber(),
                    closed.iteration().getNow(),
                    closed.iteration().getTrigger(),
                    closed.outputs().size(),
                    closed.iteration().getNextWake(),
                    took.toNanos() / 1_000);
        }
    }
}
