package io.weir.scheduler.core.node;

/**
 * Amounts of the consumable resources of a node.
 *
 * @param procs processors
 * @param memoryMb memory in MB; 0 when not tracked
 * @param swapMb swap in MB; 0 when not tracked
 * @param diskMb local disk in MB; 0 when not tracked
 */
public record Capacity(int procs, long memoryMb, long swapMb, long diskMb) {}
