package io.weir.scheduler.audit;

import io.weir.scheduler.audit.Folded.Derived;
import io.weir.scheduler.audit.Folded.Failed;
import io.weir.scheduler.audit.Folded.Fed;
import io.weir.scheduler.audit.Folded.Passed;
import io.weir.scheduler.audit.Folded.Refused;
import io.weir.scheduler.audit.JournalReader.Applied;
import io.weir.scheduler.audit.JournalReader.Closed;
import io.weir.scheduler.audit.JournalReader.Item;
import io.weir.scheduler.core.ClusterScheduler;
import io.weir.scheduler.core.fact.Fact;
import io.weir.scheduler.core.fact.Rejection;
import io.weir.scheduler.journal.Facts;
import io.weir.scheduler.journal.Input;
import io.weir.schemas.Iteration;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
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

    /**
     * Decodes inputs by {@code decoder}; {@code truncated} says that retention has deleted the journal's first records: a
     * cluster whose own are among them is not folded.
     */
    JournalFold(InputReader decoder, boolean truncated) {
        this.decoder = decoder;
        this.truncated = truncated;
    }

    /** Folds in the next item. */
    Folded fold(Item item) {
        if (met.add(item.cluster()) && truncated && !item.canBegin()) {
            stopped.add(item.cluster());
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
