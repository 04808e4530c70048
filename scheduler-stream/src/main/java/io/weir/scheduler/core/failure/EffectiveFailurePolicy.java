package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.extension.JobExtension;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeFailurePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The policy that holds for a job whose node failed: its own, else that of its class, of its partition, of the site.
 *
 * @param policy what is done
 * @param level where that is said: job, nokill, class, partition, or system, whose default is CANCEL
 */
record EffectiveFailurePolicy(NodeFailurePolicy policy, String level) {
    /**
     * Finds the policy of {@code job}.
     *
     * @param partition partition its nodes are in; null when that is not known
     */
    static EffectiveFailurePolicy of(Job job, @Nullable String partition, SitePolicy site) {
        JobExtension.Failure own = job.request().extension().failure();
        String text = own.policy();
        if (text != null) {
            return new EffectiveFailurePolicy(NodeFailurePolicy.of(text), "job");
        } else if (own.noKill()) {
            return new EffectiveFailurePolicy(NodeFailurePolicy.SURVIVE, "nokill");
        }
        String jobClass = job.request().credentials().jobClass();
        NodeFailurePolicy ofClass = site.jobClass(jobClass).failure();
        if (ofClass != null) {
            return new EffectiveFailurePolicy(ofClass, "class");
        }
        NodeFailurePolicy ofPartition =
                partition == null ? null : site.partition(partition).failure();
        return ofPartition != null
                ? new EffectiveFailurePolicy(ofPartition, "partition")
                : new EffectiveFailurePolicy(site.failures().job(), "system");
    }

    @Override
    public String toString() {
        return policy + " by " + level;
    }
}
