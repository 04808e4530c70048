package io.weir.scheduler.core.node;

import java.util.Collections;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What one job holds of one node.
 *
 * @param nodeId node
 * @param tasks tasks of the job there; 0 when not known
 * @param held amounts held of processors, memory, swap and disk
 * @param gres generic resources held
 * @param ownClasses of these tasks, how many have a class of their own instead of that of the job, by its name; under
 *     {@link #SEVERAL} those that may use several
 */
public record NodeShare(
        String nodeId, int tasks, Capacity held, SortedMap<String, Long> gres, SortedMap<String, Integer> ownClasses) {
    /** Stands for the class of tasks that have several of their own: they count in none. */
    public static final String SEVERAL = "";

    public NodeShare {
        gres = gres.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(gres);
        ownClasses =
                ownClasses.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(ownClasses);
    }

    /** Creates a share all of whose tasks count in the class of the job. */
    public NodeShare(String nodeId, int tasks, Capacity held, SortedMap<String, Long> gres) {
        this(nodeId, tasks, held, gres, Collections.emptySortedMap());
    }

    /** Returns the same without processors. */
    public NodeShare withoutProcs() {
        Capacity rest = new Capacity(0, held.memoryMb(), held.swapMb(), held.diskMb());
        return new NodeShare(nodeId, tasks, rest, gres, ownClasses);
    }

    /** Returns the processors held. */
    public int procs() {
        return held.procs();
    }

    /**
     * Returns how many of the tasks count in the class {@code asked}; tasks of an unknown number count as one, those that gave
     * their processors up as none.
     *
     * @param jobClass class of the job; null for none
     */
    public int tasksIn(String asked, @Nullable String jobClass) {
        if (procs() == 0) {
            return 0;
        }
        if (ownClasses.isEmpty()) {
            return asked.equals(jobClass) ? Math.max(1, tasks) : 0;
        }
        int own = ownClasses.getOrDefault(asked, 0);
        return asked.equals(jobClass)
                ? own
                        + tasks
                        - ownClasses.values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()
                : own;
    }
}
