package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.placement.priority.Preference;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import org.jspecify.annotations.Nullable;

/**
 * How a job wants its nodes chosen; null where it leaves that to the site.
 *
 * @param policy allocation policy
 * @param distribution how its tasks are spread
 * @param preference which nodes it would rather have
 */
public record PlacementPreferences(
        @Nullable AllocationChoice policy,
        @Nullable TaskDistribution distribution,
        @Nullable Preference preference) {
    /** Whatever the site does. */
    public static final PlacementPreferences NONE = new PlacementPreferences(null, null, null);
}
