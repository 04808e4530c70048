package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.schemas.NodeAllocation;
import java.util.List;

/**
 * What a job will cost at the most, before it starts.
 *
 * @param procs processors that will be dedicated to it
 * @param thousandths the amount at its wallclock limit and the rates of its credentials and nodes, in thousandths
 */
public record LienAmount(long procs, long thousandths) {
    /**
     * Returns the amount of {@code job}.
     *
     * @param nodes the nodes it would start on; empty where it has all that it asks for on nodes of the rate that
     *     NODECFG[DEFAULT] gives, else 1
     */
    public static LienAmount of(SitePolicy policy, NodeTable known, Job job, List<NodeAllocation> nodes) {
        Tariff tariff = new Tariff(policy, known);
        long procs = nodes.isEmpty() ? job.request().procs() : 0;
        long weighted = Quantities.AMOUNTS.product(procs, tariff.ofNode(SitePolicy.DEFAULT_OBJECT));
        for (NodeAllocation node : nodes) {
            procs += node.getProcs();
            weighted = Quantities.AMOUNTS.sum(
                    weighted, Quantities.AMOUNTS.product(node.getProcs(), tariff.ofNode(node.getNodeId())));
        }
        return new LienAmount(procs, tariff.amount(Quantities.AMOUNTS.product(weighted, job.limitSeconds()), job));
    }
}
