package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.BitSet;

/** An amount of every resource for each node by position, nothing at first. Owned by the core's thread. */
final class NodeAmounts {
    private long[] procs = new long[0];
    private long[] memory = new long[0];
    private long[] swap = new long[0];
    private long[] disk = new long[0];

    /** Positions with something added. */
    private final BitSet positions = new BitSet();

    /** Takes everything away and makes room for {@code size} nodes. */
    void clear(int size) {
        if (procs.length < size) {
            procs = new long[size];
            memory = new long[size];
            swap = new long[size];
            disk = new long[size];
        } else {
            for (int i = positions.nextSetBit(0); i >= 0; i = positions.nextSetBit(i + 1)) {
                procs[i] = 0;
                memory[i] = 0;
                swap[i] = 0;
                disk[i] = 0;
            }
        }
        positions.clear();
    }

    void add(int position, long moreProcs, long moreMemory, long moreSwap, long moreDisk) {
        positions.set(position);
        procs[position] += moreProcs;
        memory[position] += moreMemory;
        swap[position] += moreSwap;
        disk[position] += moreDisk;
    }

    long of(int position, ResourceKind resource) {
        return switch (resource) {
            case PROC -> procs[position];
            case MEM -> memory[position];
            case SWAP -> swap[position];
            case DISK -> disk[position];
        };
    }

    /** Returns all amounts of the node at {@code position}. */
    Capacity at(int position) {
        return new Capacity(
                (int) Math.min(Integer.MAX_VALUE, procs[position]), memory[position], swap[position], disk[position]);
    }

    boolean isEmpty() {
        return positions.isEmpty();
    }

    /** Returns the positions with something added; not to be written. */
    BitSet positions() {
        return positions;
    }
}
