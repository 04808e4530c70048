package io.weir.scheduler.core.policy.nodeset;

import io.weir.scheduler.core.policy.language.value.NodeSetText;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Returns what {@code text} means; null for NONE. */
    public static @Nullable NodeSetSpec of(NodeSetText text) {
        return text.policy().equals("NONE")
                ? null
                : new NodeSetSpec(
                        NodeSetPolicy.valueOf(text.policy()),
                        NodeSetAttribute.valueOf(text.attribute()),
                        text.values());
    }
}
