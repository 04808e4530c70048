package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import org.jspecify.annotations.Nullable;

/** Says whether any processor of a cluster is as good as any other for every job there is. */
final class UniformClusterCheck {
    /** The policy asked about last, and what it says by itself. */
    private @Nullable SitePolicy known;

    private boolean allowed;

    boolean countable(JobTable jobs, NodeTable nodes, SitePolicy policy) {
        if (jobs.particular() > 0
                || nodes.sums().overheld() > 0
                // Load hides processors of single nodes, and they come back when no job ends.
                || (policy.availability().adjustProcs() && nodes.statistics().loadLimited())) {
            return false;
        }
        if (isOther(policy)) {
            allowed = allows(policy);
            known = policy;
        }
        return allowed && nodes.statistics().interchangeable();
    }

    /** Returns whether {@code policy} is not the one asked about last; one that merely says the same is asked anew. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isOther(SitePolicy policy) {
        return known != policy;
    }

    private static boolean allows(SitePolicy policy) {
        return policy.nodeSets().policy() == null
                && policy.classes().isEmpty()
                && policy.allocation().access() == NodeAccessPolicy.SHARED
                && policy.nodes().values().stream().noneMatch(NodeConfig::capped)
                && !policy.allocation().exactProc()
                && policy.allocationChoices().stream()
                        .allMatch(choice -> choice.kind().takesAnyProcessors())
                && policy.qos().values().stream()
                        .noneMatch(qos -> qos.flags().contains("DEDICATED") || qos.usesReserved() != null);
    }
}
