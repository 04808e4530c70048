package io.weir.scheduler.core.node;

import java.util.Collections;
import java.util.SortedMap;

/**
 * What one job holds of one node.
 *
 * @param nodeId node
 * @param tasks tasks of the job there; 0 when not known
 * @param held amounts held of processors, memory, swap and disk
 * @param gres generic resources held
 */
public record NodeShare(String nodeId, int tasks, Capacity held, SortedMap<String, Long> gres) {
    public NodeShare {
        gres = gres.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(gres);
    }

    /** Returns the processors held. */
    public int procs() {
        return held.procs();
    }
}
