package io.weir.scheduler.core.placement;

/**
 * Tasks of one requirement on one node, as allocated.
 *
 * @param position place of the node in the node table
 * @param requirement position of the requirement in its job
 * @param tasks tasks, at least 1
 */
public record TaskShare(int position, int requirement, int tasks) {}
