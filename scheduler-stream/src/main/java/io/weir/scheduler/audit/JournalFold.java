package io.weir.scheduler.audit;

import io.weir.scheduler.audit.Folded.Derived;
import io.weir.scheduler.audit.Folded.Failed;
import io.weir.scheduler.audit.Folded.Fed;
import io.weir.scheduler.audit.Folded.Passed;
import io.weir.scheduler.audit.Folded.Refused;
import io.weir.scheduler.audit.JournalReader.Applied;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.audit.JournalReader.Item;
import io.weir.scheduler.audit.snapshot.Snapshot;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.schemas.Iteration;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folds journals: has the core of each cluster apply its inputs and run its iterations. Whether these are the ones that were
 * written is for others to see, so a core may be told nonsense here; it stands still after what it refuses or fails on. One
 * thread.
 */
final class JournalFold {
    private final InputReader decoder;
    private final Map<String, ClusterScheduler> cores = new HashMap<>();
    private final Set<String> met = new HashSet<>();
    private final Set<String> stopped = new HashSet<>();
    private final boolean truncated;
    private final SnapshotStarts starts;

    /** Snapshots whose place in the journal is not reached yet, by cluster. */
    private final Map<String, Snapshot> ahead = new HashMap<>();

    /**
     * Decodes inputs by {@code decoder}; {@code truncated} says that retention has deleted the journal's first records: a
     * cluster whose own are among them is folded from a snapshot on, or not at all where there is none.
     */
    JournalFold(InputReader decoder, boolean truncated, SnapshotStarts starts) {
        this.decoder = decoder;
        this.truncated = truncated;
        this.starts = starts;
    }

    /** Folds in the next item. */
    Folded fold(Item item) {
        if (met.add(item.cluster())) {
            begin(item);
        }
        if (isAhead(item)) {
            return new Passed(item);
        }
        try {
            if (item instanceof Applied applied && !stopped.contains(applied.cluster())) {
                return apply(applied);
            }
            if (item instanceof Closed closed && !stopped.contains(closed.cluster())) {
                return iterate(closed);
            }
            return new Passed(item);
        } catch (RuntimeException e) {
            stopped.add(item.cluster());
            return new Failed(item, e);
        }
    }

    private void begin(Item first) {
        boolean cut = truncated && !first.canBegin();
        Optional<Snapshot> start = starts.of(first, cut);
        if (start.isPresent()) {
            ahead.put(first.cluster(), start.get());
        } else if (cut) {
            stopped.add(first.cluster());
        }
    }

    /** Says whether an item is part of the snapshot to begin at; puts that in force when its place is reached. */
    private boolean isAhead(Item item) {
        Snapshot snapshot = ahead.get(item.cluster());
        if (snapshot == null) {
            return false;
        }
        if (SnapshotStarts.covers(snapshot, item)) {
            return true;
        }
        ahead.remove(item.cluster());
        snapshot.entities().forEach(core(item.cluster())::replay);
        return false;
    }

    /** Returns the state of a cluster behind the last item that was folded in. */
    List<Change> state(String cluster) {
        Snapshot snapshot = ahead.get(cluster);
        return snapshot == null ? core(cluster).snapshot() : snapshot.entities();
    }

    private Folded apply(Applied item) {
        Input input = item.entry().input();
        Fact fact;
        try {
            fact = Facts.of(input, decoder.read(input));
        } catch (IOException e) {
            return refused(item, "cannot be decoded: " + e.getMessage());
        }
        ClusterScheduler core = core(item.cluster());
        Optional<Rejection> rejection = core.check(fact);
        if (rejection.isPresent()) {
            return refused(
                    item,
                    "would have been rejected: " + rejection.get().cause() + ", "
                            + rejection.get().message());
        }
        core.apply(fact);
        return new Fed(item, fact);
    }

    private Refused refused(Applied item, String message) {
        stopped.add(item.cluster());
        return new Refused(item, message);
    }

    private Folded iterate(Closed item) {
        Iteration recorded = item.iteration();
        if (recorded.getDecisionVersion() != ClusterScheduler.DECISION_VERSION) {
            stopped.add(item.cluster());
            return new Passed(item);
        }
        return new Derived(item, core(item.cluster()).iterate(recorded.getNow(), recorded.getListened()));
    }

    private ClusterScheduler core(String cluster) {
        return cores.computeIfAbsent(cluster, ClusterScheduler::unstored);
    }
}
