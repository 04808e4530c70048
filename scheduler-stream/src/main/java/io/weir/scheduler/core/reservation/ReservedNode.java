package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.node.Capacity;

/**
 * What a reservation sets aside on one node.
 *
 * @param nodeId node
 * @param tasks tasks of the reservation there, at least 1
 * @param amount amounts set aside
 */
public record ReservedNode(String nodeId, int tasks, Capacity amount) {}
