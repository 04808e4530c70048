/**
 * Nodes, what they have free, and the table that holds them. Knows nothing of queues or policies.
 */
@NullMarked
package io.weir.scheduler.core.node;

import org.jspecify.annotations.NullMarked;
