package io.weir.scheduler.stream;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The partitions whose state is to be written anew to the topics that keep it, since these have lost it. Outlives the starts of the
 * stream. Thread-safe.
 */
public final class Rewriting {
    private final Set<Integer> due = new TreeSet<>();

    /** Has the state of {@code partitions} written, by whoever has it. */
    public synchronized void request(Collection<Integer> partitions) {
        due.addAll(partitions);
    }

    /** Returns whether the state of {@code partition} is to be written. */
    synchronized boolean isDue(int partition) {
        return due.contains(partition);
    }

    /** Says that the state of {@code partition} was written and committed. */
    synchronized void done(int partition) {
        due.remove(partition);
    }

    @Override
    public synchronized String toString() {
        return due.toString();
    }
}
