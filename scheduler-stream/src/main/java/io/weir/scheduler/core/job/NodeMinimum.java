package io.weir.scheduler.core.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a job takes at least of each node it uses, however little its tasks there take together; amounts of 0 are no minimum.
 *
 * @param procs processors
 * @param memoryMb memory, MB
 * @param gres generic resources by name
 */
public record NodeMinimum(int procs, long memoryMb, SortedMap<String, Long> gres) {
    /** What the tasks take is all that is taken. */
    public static final NodeMinimum NONE = new NodeMinimum(0, 0, Collections.emptySortedMap());

    public NodeMinimum {
        gres = asked(gres);
    }

    /** Returns what is asked for: nobody looks at every node for resources of which none is. */
    static SortedMap<String, Long> asked(SortedMap<String, Long> gres) {
        if (gres.isEmpty()) {
            return Collections.emptySortedMap();
        }
        SortedMap<String, Long> asked = new TreeMap<>(gres);
        asked.values().removeIf(amount -> amount == 0);
        return Collections.unmodifiableSortedMap(asked);
    }

    /** Returns whether there is none. */
    public boolean isNone() {
        return procs == 0 && memoryMb == 0 && gres.isEmpty();
    }
}
