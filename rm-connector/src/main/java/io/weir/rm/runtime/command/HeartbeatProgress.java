package io.weir.rm.runtime.command;

/**
 * How far heartbeats are, as offsets in the partition of the cluster.
 *
 * @param read behind the last one that the connector has seen in the log
 * @param takenIn behind the last one that the scheduler has taken in
 */
public record HeartbeatProgress(long read, long takenIn) {}
