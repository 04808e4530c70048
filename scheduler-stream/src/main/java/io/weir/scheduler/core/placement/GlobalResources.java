package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generic resources that float over the whole cluster: those of the pseudo-node {@link EffectiveNode#GLOBAL}. A task takes a resource
 * from its own node when that has any configured, else from here. Owned by the core's thread.
 */
public final class GlobalResources {
    private final NodeTable nodes;
    private final Map<String, Long> held = new LinkedHashMap<>();

    /** Active jobs, when there is such a node. */
    private final List<Job> holders = new ArrayList<>();

    public GlobalResources(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Starts anew with what {@code active} jobs hold. */
    void reset(Iterable<Job> active) {
        held.clear();
        holders.clear();
        EffectiveNode global = nodes.effective(EffectiveNode.GLOBAL);
        if (global == null || global.gres().isEmpty()) {
            return;
        }
        for (Job job : active) {
            hold(job);
        }
    }

    /** Counts what {@code job} holds. */
    void hold(Job job) {
        EffectiveNode global = nodes.effective(EffectiveNode.GLOBAL);
        if (global == null || global.gres().isEmpty()) {
            return;
        }
        holders.add(job);
        for (NodeShare share : job.shares()) {
            EffectiveNode node = nodes.effective(share.nodeId());
            share.gres().forEach((name, count) -> {
                if (global.gres().containsKey(name)
                        && (node == null || !node.gres().containsKey(name))) {
                    held.merge(name, count, Long::sum);
                }
            });
        }
    }

    /** Returns how much of {@code name} there is, whoever holds it; 0 for none. */
    public long configured(String name) {
        EffectiveNode global = nodes.effective(EffectiveNode.GLOBAL);
        return global == null ? 0 : global.gres().getOrDefault(name, 0L);
    }

    /** Returns how much of {@code name} is free at {@code start}, epoch seconds, when the jobs that hold it keep their limits. */
    public long freeAt(String name, long start) {
        long free = free(name);
        for (Job job : holders) {
            if (job.plannedEnd() <= start) {
                free += heldBy(job, name);
            }
        }
        return free;
    }

    private long heldBy(Job job, String name) {
        long sum = 0;
        for (NodeShare share : job.shares()) {
            EffectiveNode node = nodes.effective(share.nodeId());
            if (node == null || !node.gres().containsKey(name)) {
                sum += share.gres().getOrDefault(name, 0L);
            }
        }
        return sum;
    }

    /** Returns how much of {@code name} is free. */
    long free(String name) {
        return Math.max(0, configured(name) - held.getOrDefault(name, 0L));
    }
}
