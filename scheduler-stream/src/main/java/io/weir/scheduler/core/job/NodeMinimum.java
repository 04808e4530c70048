package io.weir.scheduler.core.job;

import java.util.Collections;
import java.util.SortedMap;

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
        gres = TaskResources.asked(gres);
    }

    /** Returns whether there is none. */
    public boolean isNone() {
        return procs == 0 && memoryMb == 0 && gres.isEmpty();
    }
}
