package io.weir.scheduler.plugin;

import java.util.List;

/**
 * Chooses nodes by a site's own rules; found with {@link java.util.ServiceLoader} and named by
 * {@code NODEALLOCPLUGIN[name] CLASS=...}. It is called on threads of its own, several at a time, and may look at whatever
 * it likes: its answer is recorded, and a replay reads the record. What takes longer than TIMEOUT is interrupted and
 * counts for nothing.
 */
public interface NodeAllocationPlugin {
    /**
     * Chooses among the candidates.
     *
     * @return nodes in the order in which they are to be filled; empty for no allocation
     * @throws Exception when it cannot choose; LASTAVAILABLE does so instead
     */
    List<Choice> choose(AllocationQuestion question) throws Exception;

    /**
     * A node to use.
     *
     * @param node one of the candidates
     * @param mostTasks tasks it may get, from 1 to what it has room for
     */
    record Choice(String node, int mostTasks) {}
}
