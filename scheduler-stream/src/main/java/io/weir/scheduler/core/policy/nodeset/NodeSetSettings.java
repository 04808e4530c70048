package io.weir.scheduler.core.policy.nodeset;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Node sets as configured for all jobs.
 *
 * @param policy NODESETPOLICY; null when node sets are off
 * @param attribute NODESETATTRIBUTE; null when not given
 * @param list NODESETLIST in order, without duplicates; empty for all values found
 * @param optional NODESETISOPTIONAL; null when not given
 * @param delaySeconds NODESETDELAY
 * @param tolerance NODESETTOLERANCE, at least 0
 * @param priority NODESETPRIORITYTYPE
 * @param plus NODESETPLUS
 */
public record NodeSetSettings(
        @Nullable NodeSetPolicy policy,
        @Nullable NodeSetAttribute attribute,
        List<String> list,
        @Nullable Boolean optional,
        long delaySeconds,
        double tolerance,
        NodeSetPriority priority,
        NodeSetPlus plus) {
    /** What an empty configuration uses: no node sets. */
    public static final NodeSetSettings DEFAULT =
            new NodeSetSettings(null, null, List.of(), null, 0, 0, NodeSetPriority.MINLOSS, NodeSetPlus.NONE);

    public NodeSetSettings {
        list = List.copyOf(list);
    }
}
