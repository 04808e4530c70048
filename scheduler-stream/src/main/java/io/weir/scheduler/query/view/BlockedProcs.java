package io.weir.scheduler.query.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many processors of a node jobs and reservations keep from others, from now on: what is held at an instant holds until
 * the next one.
 */
final class BlockedProcs {
    /** Instants told of a node. */
    private static final int MOST = 16;

    private final Instant now;
    private final SortedMap<Instant, Integer> changes = new TreeMap<>();

    BlockedProcs(Instant now) {
        this.now = now;
    }

    /** Adds what is held from {@code start} on until {@code end}. */
    void add(int procs, Instant start, Instant end) {
        Instant from = start.isBefore(now) ? now : start;
        if (end.isAfter(from)) {
            changes.merge(from, procs, Integer::sum);
            changes.merge(end, -procs, Integer::sum);
        }
    }

    /** An instant and what is held from then on. */
    record Step(Instant from, int procs) {}

    /** Returns the steps of {@code most} processors, the first of them now or later. */
    List<Step> steps(int most) {
        List<Step> steps = new ArrayList<>();
        int held = 0;
        int shown = 0;
        for (Map.Entry<Instant, Integer> change : changes.entrySet()) {
            held += change.getValue();
            int blocked = Math.min(most, held);
            if (blocked != shown && steps.size() < MOST) {
                steps.add(new Step(change.getKey(), blocked));
                shown = blocked;
            }
        }
        return steps;
    }
}
