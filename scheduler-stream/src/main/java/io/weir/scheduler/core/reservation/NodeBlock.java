package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.node.Capacity;

/**
 * Amounts of a node that reservations keep from a job.
 *
 * @param from first second, epoch seconds
 * @param to end, exclusive, epoch seconds
 * @param amount amounts kept, beyond what running jobs hold
 */
public record NodeBlock(long from, long to, Capacity amount) {}
