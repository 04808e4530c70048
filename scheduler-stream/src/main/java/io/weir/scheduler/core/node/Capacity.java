package io.weir.scheduler.core.node;

/**
 * Amounts of the consumable resources of a node.
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
}
