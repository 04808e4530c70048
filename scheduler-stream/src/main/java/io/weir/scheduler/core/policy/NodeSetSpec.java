package io.weir.scheduler.core.policy;

import java.util.List;

/**
 * {@code SETTYPE:SETATTR[:SETLIST]} of a job or a class.
 *
 * @param policy how sets are used
 * @param attribute what forms a set
 * @param list values in order, without duplicates; empty for all values found
 */
public record NodeSetSpec(NodeSetPolicy policy, NodeSetAttribute attribute, List<String> list) {
    public NodeSetSpec {
        list = List.copyOf(list);
    }
}
