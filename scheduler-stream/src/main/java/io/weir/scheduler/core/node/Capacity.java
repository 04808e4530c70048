package io.weir.scheduler.core.node;

import org.jspecify.annotations.Nullable;

/**
 * Amounts of the consumable resources of a node. All nodes are told apart by them in the first
 * iteration of a scheduler that has just started, which runs the method handles of a record slowly.
 *
 * @param procs processors
 * @param memoryMb memory in MB; 0 when not tracked
 * @param swapMb swap in MB; 0 when not tracked
 * @param diskMb local disk in MB; 0 when not tracked
 */
public record Capacity(int procs, long memoryMb, long swapMb, long diskMb) {
    /** Returns these amounts and {@code more}. */
    public Capacity plus(Capacity more) {
        return new Capacity(procs + more.procs, memoryMb + more.memoryMb, swapMb + more.swapMb, diskMb + more.diskMb);
    }

    /** Returns these amounts without {@code less}; negative where there is less than that. */
    public Capacity minus(Capacity less) {
        return new Capacity(procs - less.procs, memoryMb - less.memoryMb, swapMb - less.swapMb, diskMb - less.diskMb);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Capacity amounts
                && procs == amounts.procs
                && memoryMb == amounts.memoryMb
                && swapMb == amounts.swapMb
                && diskMb == amounts.diskMb;
    }

    @Override
    public int hashCode() {
        int main = 31 * procs + Long.hashCode(memoryMb);
        return 31 * (31 * main + Long.hashCode(swapMb)) + Long.hashCode(diskMb);
    }
}
