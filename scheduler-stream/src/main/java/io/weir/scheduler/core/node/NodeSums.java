package io.weir.scheduler.core.node;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sums over all nodes of a {@link NodeTable}, kept up to date as each node changes, so that none costs a scan. */
public final class NodeSums {
    /** Unheld processors of the nodes that are planned for though they are down or drained, by how far ahead, in seconds. */
    private final SortedMap<Long, Long> awaited = new TreeMap<>();

    /** Names of nodes that are rid of what failed there only presently. */
    private final SortedSet<String> cleaning = new TreeSet<>();

    private long configured;
    private long free;
    private long busyFree;
    private int unplannable;
    private int awaitedNodes;
    private int unheardOf;
    private int overheld;

    /** Returns the processors of all nodes. */
    public long configured() {
        return configured;
    }

    /** Returns the free processors of all nodes that accept jobs now. */
    public long free() {
        return free;
    }

    /** Returns the unheld processors of nodes that report themselves busy. */
    public long busyFree() {
        return busyFree;
    }

    /**
     * Returns of how many nodes jobs hold more processors than there are: a node came back with fewer, or its resource
     * manager gives them out more than once.
     */
    public int overheld() {
        return overheld;
    }

    /** Returns how many nodes no job may be planned on, because of their state. */
    public int unplannable() {
        return unplannable;
    }

    /** Returns the nodes that are back and may still have to do with jobs that were ended, by name. */
    public List<String> cleaning() {
        return cleaning.isEmpty() ? List.of() : List.copyOf(cleaning);
    }

    /** Returns how many nodes are down only because nothing is heard of their resource manager. */
    public int unheardOf() {
        return unheardOf;
    }

    /** Returns how many nodes are planned for though they are down or drained. */
    public int awaitedNodes() {
        return awaitedNodes;
    }

    /** Returns the unheld processors of such nodes, by how many seconds ahead of now they count as unavailable. To be read. */
    public SortedMap<Long, Long> awaited() {
        return awaited;
    }

    /** Counts a node in, {@code sign} being 1, or out, being -1. */
    void count(NodeSlot slot, int sign) {
        Node node = slot.node.node();
        int procs = slot.node.configured().procs();
        configured += (long) sign * procs;
        overheld += slot.procs > procs ? sign : 0;
        addUnheld(slot, (long) sign * slot.unheld());
        if (!slot.node.plannableNow()) {
            unplannable += sign;
            awaitedNodes += slot.node.isAwaited() ? sign : 0;
            unheardOf += node.isUnheardOf() ? sign : 0;
            if (sign < 0) {
                cleaning.remove(node.id());
            } else if (node.isCleaning()) {
                cleaning.add(node.id());
            }
        }
    }

    /** Counts a node anew of which jobs held {@code before} processors. */
    void heldChanged(NodeSlot slot, int before) {
        int procs = slot.node.configured().procs();
        overheld += (slot.procs > procs ? 1 : 0) - (before > procs ? 1 : 0);
        addUnheld(slot, (long) slot.unheld() - slot.unheld(before));
    }

    /** Adds processors of a node that jobs do not hold to the sum they belong to. */
    private void addUnheld(NodeSlot slot, long procs) {
        if (slot.node.plannableNow()) {
            if (slot.node.accepting()) {
                free += procs;
            } else {
                busyFree += procs;
            }
        } else if (slot.node.isAwaited() && !slot.node.isKept()) {
            // Where reservations keep nodes, plans follow nodes and do not count processors.
            awaited.merge(slot.node.awaitedSeconds(), procs, Long::sum);
            awaited.values().removeIf(sum -> sum == 0);
        }
    }
}
