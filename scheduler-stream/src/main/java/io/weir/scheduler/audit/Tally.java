package io.weir.scheduler.audit;

import java.util.Map;
import java.util.TreeMap;

/** Counts, by cluster, records that nothing can be said about yet. */
final class Tally {
    private final Map<String, Long> unverified = new TreeMap<>();

    void unverified(String cluster) {
        unverified.merge(cluster, 1L, Long::sum);
    }

    long of(String cluster) {
        return unverified.getOrDefault(cluster, 0L);
    }
}
