package io.weir.scheduler.core.plan;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which jobs of one scheduling key and one plan key are known to fit now: one of no more tasks that takes no longer than one that
 * fits does as well. Known until something else is free.
 */
final class KnownFits {
    /** Seconds for which jobs fit, by their tasks; the more tasks the fewer seconds. */
    private final NavigableMap<Integer, Integer> seconds = new TreeMap<>();

    private long version = -1;

    /** Forgets all unless it was learned in that version of the plan. */
    KnownFits in(long current) {
        if (version != current) {
            version = current;
            seconds.clear();
        }
        return this;
    }

    /** Returns whether a job of {@code tasks} for {@code duration} seconds is known to fit. */
    boolean fits(int tasks, int duration) {
        Map.Entry<Integer, Integer> larger = seconds.ceilingEntry(tasks);
        return larger != null && larger.getValue() >= duration;
    }

    /** Learns that such a job fits. */
    void learn(int tasks, int duration) {
        if (fits(tasks, duration)) {
            return;
        }
        Map.Entry<Integer, Integer> smaller = seconds.floorEntry(tasks);
        while (smaller != null && smaller.getValue() <= duration) {
            seconds.remove(smaller.getKey());
            smaller = seconds.floorEntry(tasks);
        }
        seconds.put(tasks, duration);
    }
}
