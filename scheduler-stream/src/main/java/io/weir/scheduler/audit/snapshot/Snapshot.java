package io.weir.scheduler.audit.snapshot;

import io.weir.scheduler.core.state.Change;
import io.weir.scheduler.state.JournalStatus;
import java.util.List;

/**
 * The state of a cluster as it follows from its journal up to a place. Immutable.
 *
 * @param journal that place
 * @param entities the state, sorted by kind and id
 */
public record Snapshot(JournalStatus journal, List<Change> entities) {
    public Snapshot {
        entities = List.copyOf(entities);
    }

    /** Returns the number of the last iteration in it. */
    public long iteration() {
        return journal.getIteration();
    }

    /** Returns the sequence of the last input in it. */
    public long sequence() {
        return journal.getSequence();
    }
}
