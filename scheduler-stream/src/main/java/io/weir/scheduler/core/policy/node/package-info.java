/**
 * Configuration of nodes and partitions: choice of nodes, access, availability, distribution of tasks. Values only; they
 * are read in {@code core.policy}.
 */
@NullMarked
package io.weir.scheduler.core.policy.node;

import org.jspecify.annotations.NullMarked;
