package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import org.jspecify.annotations.Nullable;

/**
 * The plans of one cluster, and the choice between them: free processors are counted where any processor is as good as any
 * other, and followed node by node everywhere else. Owned by the core's thread.
 */
public final class ResourcePlans {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;
    private final ReservationAccess access;
    private final ProcessorCountPlan counted;
    private final NodePlan byNode;

    private final UniformClusterCheck uniform = new UniformClusterCheck();

    /** Whether processors are counted where that is exact. */
    private boolean counting = true;

    /** Creates the plans over the tables of one cluster. */
    public ResourcePlans(
            JobTable jobs,
            NodeTable nodes,
            ReservationTable reservations,
            ReservationAccess access,
            Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.reservations = reservations;
        this.access = access;
        counted = new ProcessorCountPlan(jobs, nodes);
        byNode = new NodePlan(jobs, nodes, access, placement);
    }

    /** Follows nodes one by one from now on, even where counting would do; decisions are the same either way. */
    public void followNodes() {
        counting = false;
    }

    /**
     * Returns the cheapest exact plan under {@code policy}; not reset yet.
     *
     * @param named whether slots have to name their nodes
     */
    public ResourcePlan choose(SitePolicy policy, boolean named) {
        return counting && !named && access.open() && uniform.countable(jobs, nodes, policy) ? counted : byNode;
    }

    /** Returns the plan in use before the first pass. */
    public ResourcePlan initial() {
        return counted;
    }

    /** Returns whether {@code plan} follows nodes one by one. */
    public boolean followsNodes(ResourcePlan plan) {
        return plan == byNode;
    }

    /** Resets the plan that follows nodes to what is free from {@code now} on (epoch seconds), and returns an estimator over it. */
    public StartEstimator startEstimator(long now, SitePolicy policy) {
        byNode.reset(now, policy);
        ProcessorCountPlan own = null;
        if (choose(policy, false) == counted) {
            own = new ProcessorCountPlan(jobs, nodes);
            own.reset(now, policy);
        }
        return new StartEstimator(byNode, own, jobs, reservations, now);
    }

    /** Sets the partition in which the last job started that could start in several; null for none. */
    public void lastStarted(@Nullable String partition) {
        byNode.partitions().lastStarted(partition);
    }

    /** Returns what keeps jobs inside node sets. */
    public NodeSets nodeSets() {
        return byNode.nodeSets();
    }
}
