package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;

/** What a job will cost at the most, before its nodes are known. Stateless. */
public final class LienAmount {
    private LienAmount() {}

    /**
     * Returns the amount, in thousandths, of {@code job} at its wallclock limit and the rates of its credentials, on nodes of
     * the rate that NODECFG[DEFAULT] gives, else 1.
     */
    public static long of(SitePolicy policy, NodeTable nodes, Job job) {
        Tariff tariff = new Tariff(policy, nodes);
        long seconds = Quantities.AMOUNTS.product(job.request().procs(), job.limitSeconds());
        return tariff.amount(Quantities.AMOUNTS.product(seconds, tariff.ofNode(SitePolicy.DEFAULT_OBJECT)), job);
    }
}
