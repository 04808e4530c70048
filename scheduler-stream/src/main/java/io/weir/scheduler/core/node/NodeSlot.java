package io.weir.scheduler.core.node;

import java.util.SortedMap;
import java.util.TreeMap;

/** A node, its place in the order of the {@link NodeTable} and what jobs hold of it. */
final class NodeSlot {
    final SortedMap<String, NodeShare> shares = new TreeMap<>();
    EffectiveNode node;
    int position;

    /** Jobs that hold something of it, kept here to spare those who look at many nodes a look at the map. */
    int jobs;

    int procs;
    long memoryMb;
    long swapMb;
    long diskMb;

    NodeSlot(EffectiveNode node) {
        this.node = node;
    }

    int unheld() {
        return unheld(procs);
    }

    /** Returns the processors that would be left if jobs held so many. */
    int unheld(int held) {
        return Math.max(0, node.configured().procs() - held);
    }

    void add(String jobId, NodeShare share) {
        NodeShare before = shares.put(jobId, share);
        if (before != null) {
            count(before, -1);
        }
        count(share, 1);
        jobs = shares.size();
    }

    void remove(String jobId) {
        NodeShare share = shares.remove(jobId);
        if (share != null) {
            count(share, -1);
            jobs = shares.size();
        }
    }

    private void count(NodeShare share, int sign) {
        procs += sign * share.held().procs();
        memoryMb += sign * share.held().memoryMb();
        swapMb += sign * share.held().swapMb();
        diskMb += sign * share.held().diskMb();
    }
}
