package io.weir.scheduler.core.placement;

import java.util.BitSet;

/**
 * The nodes that could run tasks of a requirement if they had nothing else to do, whatever their state.
 *
 * @param nodes positions of the nodes
 * @param rejections why the others could not
 * @param tasks tasks that all these nodes together could run
 */
public record NodeMatch(BitSet nodes, Rejections rejections, long tasks) {}
