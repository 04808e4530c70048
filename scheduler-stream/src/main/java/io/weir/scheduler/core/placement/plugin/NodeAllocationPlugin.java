package io.weir.scheduler.core.placement.plugin;

import java.util.List;

/**
 * Chooses nodes by a site's own rules; found with {@link java.util.ServiceLoader} and named by
 * {@code NODEALLOCPLUGIN[name] CLASS=...}. The answer may depend on the question alone: a replay asks again and has to be
 * told the same. It is called on the scheduler's thread, so it has to be quick.
 */
public interface NodeAllocationPlugin {
    /**
     * Chooses among the candidates of one tier.
     *
     * @return nodes in the order in which they are to be filled; empty for no allocation
     */
    List<Choice> choose(AllocationQuestion question);

    /**
     * A node to use.
     *
     * @param node one of the candidates
     * @param mostTasks tasks it may get, from 1 to what it has room for
     */
    record Choice(String node, int mostTasks) {}
}
