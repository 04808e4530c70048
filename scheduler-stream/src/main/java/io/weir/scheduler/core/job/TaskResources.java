package io.weir.scheduler.core.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Resources each task takes; amounts of 0 ask for none.
 *
 * @param procs processors, all on one node, at least 1
 * @param memoryMb memory, MB
 * @param swapMb swap, MB
 * @param diskMb local disk, MB
 * @param gres generic resources by name, of which some are asked for: amounts of 0 are left out
 */
public record TaskResources(int procs, long memoryMb, long swapMb, long diskMb, SortedMap<String, Long> gres) {
    public TaskResources {
        gres = gres.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(asked(gres));
    }

    /** Returns what is asked for: nobody looks at every node for resources of which none is. */
    private static SortedMap<String, Long> asked(SortedMap<String, Long> gres) {
        SortedMap<String, Long> asked = new TreeMap<>(gres);
        asked.values().removeIf(amount -> amount == 0);
        return asked;
    }

    /** Returns the resources of a task that takes processors only. */
    public static TaskResources ofProcs(int procs) {
        return new TaskResources(procs, 0, 0, 0, Collections.emptySortedMap());
    }

    /** Returns whether processors are all it takes. */
    public boolean procsOnly() {
        return memoryMb == 0 && swapMb == 0 && diskMb == 0 && gres.isEmpty();
    }
}
