package io.weir.scheduler.core.charge;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs that failed without anything known of their nodes, by these. A resource manager tells of its nodes and jobs in any
 * order, and may have looked at the nodes first: what the end of a run had to do with them is known only when a poll is
 * complete that began after it. Those runs say themselves for how many polls they wait. Owned by the core's thread.
 */
final class SuspectNodes {
    /** Complete polls that may be missing what the end of a run was known with: the one under way, and the next. */
    static final int POLLS = 2;

    private final SortedMap<String, SortedSet<String>> byNode = new TreeMap<>();
    private final SortedSet<String> waiting = new TreeSet<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** {@code run} had {@code nodes}, sorted, and waits for {@code polls}; nothing happens when there are none. */
    void add(ChargedRun run, List<String> nodes, int polls) {
        if (!nodes.isEmpty()) {
            run.suspects = nodes;
            run.suspectedFor = polls;
            restore(run);
        }
    }

    /** Takes over what {@code run} says of itself. */
    void restore(ChargedRun run) {
        if (!run.suspects.isEmpty()) {
            waiting.add(run.key());
            run.suspects.forEach(
                    node -> byNode.computeIfAbsent(node, id -> new TreeSet<>()).add(run.key()));
        }
    }

    /** Returns the keys of the runs that wait for news of {@code node}, sorted. */
    List<String> of(String node) {
        SortedSet<String> keys = byNode.get(node);
        return keys == null ? List.of() : List.copyOf(keys);
    }

    /** Returns the keys of all runs that wait, sorted. */
    List<String> runs() {
        return List.copyOf(waiting);
    }

    /** A poll is complete. */
    void polled(ChargedRun run) {
        run.suspectedFor--;
        if (run.suspectedFor <= 0) {
            clear(run);
        }
    }

    /** {@code run} waits no longer. */
    void clear(ChargedRun run) {
        for (String node : run.suspects) {
            SortedSet<String> keys = byNode.get(node);
            if (keys != null && keys.remove(run.key()) && keys.isEmpty()) {
                byNode.remove(node);
            }
        }
        waiting.remove(run.key());
        run.suspects = List.of();
        run.suspectedFor = 0;
    }
}
