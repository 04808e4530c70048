package io.weir.scheduler.core.charge;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** What things cost by the configuration: CHARGERATE of nodes and of credentials, in whole thousandths and millionths. */
final class Tariff {
    private static final long MILLION = 1_000_000;
    private static final BigInteger MILLIONTHS = BigInteger.valueOf(MILLION);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private final SitePolicy policy;
    private final NodeTable nodes;

    Tariff(SitePolicy policy, NodeTable nodes) {
        this.policy = policy;
        this.nodes = nodes;
    }

    /** Returns the rate of a node in thousandths; that of one which is gone is 1. */
    long ofNode(String id) {
        Node node = nodes.get(id);
        Double reported = node == null ? null : node.attributes().chargeRate();
        NodeConfig own = policy.nodes().get(id);
        NodeConfig common = policy.nodes().get(SitePolicy.DEFAULT_OBJECT);
        Double configured = own != null && own.chargeRate() != null
                ? own.chargeRate()
                : common == null ? null : common.chargeRate();
        Double rate = configured != null ? configured : reported;
        return rate == null ? 1_000 : StrictMath.round(rate * 1_000);
    }

    /** Returns {@code weighted} processor-seconds at the rates of a job's credentials, in thousandths. */
    long amount(long weighted, Job job) {
        JobCredentials credentials = job.request().credentials();
        BigInteger amount = BigInteger.valueOf(weighted);
        amount = times(amount, policy.qos(job.qos()).chargeRate());
        amount = times(amount, policy.jobClass(credentials.jobClass()).chargeRate());
        amount = times(amount, policy.user(credentials.user()).chargeRate());
        amount = times(amount, policy.group(credentials.group()).chargeRate());
        amount = times(amount, policy.account(credentials.account()).chargeRate());
        return amount.min(MOST).max(MOST.negate()).longValueExact();
    }

    private static BigInteger times(BigInteger amount, @Nullable Double rate) {
        return rate == null
                ? amount
                : amount.multiply(BigInteger.valueOf(StrictMath.round(rate * MILLION)))
                        .divide(MILLIONTHS);
    }
}
