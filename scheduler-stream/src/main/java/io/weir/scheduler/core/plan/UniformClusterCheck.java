package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;

/** Says whether any processor of a cluster is as good as any other for every job there is. */
final class UniformClusterCheck {
    private UniformClusterCheck() {}

    static boolean countable(JobTable jobs, NodeTable nodes, SitePolicy policy) {
        if (jobs.particular() > 0
                || nodes.sums().overheld() > 0
                || policy.nodeSets().policy() != null
                || !policy.classes().isEmpty()
                || policy.allocation().access() != NodeAccessPolicy.SHARED
                || policy.nodes().values().stream().anyMatch(NodeConfig::capped)
                || policy.allocation().exactProc()
                // Load hides processors of single nodes, and they come back when no job ends.
                || (policy.availability().adjustProcs() && nodes.statistics().loadLimited())
                || !policy.allocationChoices().stream()
                        .allMatch(choice -> choice.kind().takesAnyProcessors())
                || policy.qos().values().stream()
                        .anyMatch(qos -> qos.flags().contains("DEDICATED") || qos.usesReserved() != null)) {
            return false;
        }
        return nodes.statistics().interchangeable();
    }
}
