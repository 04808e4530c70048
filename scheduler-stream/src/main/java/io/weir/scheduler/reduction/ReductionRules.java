package io.weir.scheduler.reduction;

import io.weir.scheduler.core.event.ForwardedMetrics;
import io.weir.scheduler.core.event.MetricConditions;
import io.weir.scheduler.core.policy.SitePolicy;

/**
 * What the configuration of a cluster asks of the reduction. Immutable.
 *
 * @param conditions conditions that raise events
 * @param forwarded metrics whose values the scheduler is told of
 */
public record ReductionRules(MetricConditions conditions, ForwardedMetrics forwarded) {
    /** Nothing. */
    static final ReductionRules NONE = new ReductionRules(MetricConditions.NONE, ForwardedMetrics.NONE);

    /** Takes the rules out of a configuration. */
    static ReductionRules of(SitePolicy policy) {
        return new ReductionRules(policy.conditions(), policy.forwarded());
    }
}
