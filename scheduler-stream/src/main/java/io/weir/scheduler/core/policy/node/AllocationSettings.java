package io.weir.scheduler.core.policy.node;

import io.weir.scheduler.core.policy.node.ResourceLimit.LimitedResource;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How nodes are allocated.
 *
 * @param policy NODEALLOCATIONPOLICY
 * @param access NODEACCESSPOLICY
 * @param exactNode JOBNODEMATCHPOLICY EXACTNODE: exactly as many distinct nodes as asked for
 * @param exactProc JOBNODEMATCHPOLICY EXACTPROC: only nodes with exactly the processors asked for per node
 * @param distribution TASKDISTRIBUTIONPOLICY
 * @param partition PARALLOCATIONPOLICY
 * @param limits RESOURCELIMITPOLICY, in the order given
 * @param plugins NODEALLOCPLUGIN by name
 */
public record AllocationSettings(
        AllocationChoice policy,
        NodeAccessPolicy access,
        boolean exactNode,
        boolean exactProc,
        TaskDistribution distribution,
        PartitionPolicy partition,
        List<ResourceLimit> limits,
        SortedMap<String, AllocationPlugin> plugins) {
    /** What an empty configuration uses. */
    public static final AllocationSettings DEFAULT = new AllocationSettings(
            AllocationChoice.DEFAULT,
            NodeAccessPolicy.SHARED,
            false,
            false,
            TaskDistribution.DEFAULT,
            PartitionPolicy.FIRSTSTART,
            List.of(),
            Collections.emptySortedMap());

    public AllocationSettings {
        limits = List.copyOf(limits);
        plugins = Collections.unmodifiableSortedMap(new TreeMap<>(plugins));
    }

    /** Returns whether RESOURCELIMITPOLICY says what becomes of jobs that use too much of {@code resource}. */
    public boolean limits(LimitedResource resource) {
        return limits.stream().anyMatch(limit -> limit.resource() == resource);
    }
}
