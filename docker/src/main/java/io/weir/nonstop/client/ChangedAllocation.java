package io.weir.nonstop.client;

import java.util.List;

/**
 * A job's nodes after one was replaced or given up.
 *
 * @param replacement node that came; empty for none
 * @param nodes nodes in the order of the allocation
 * @param cpusPerNode processors on them, as {@code 2(x2),1}
 */
public record ChangedAllocation(String replacement, List<String> nodes, String cpusPerNode) {
    public ChangedAllocation {
        nodes = List.copyOf(nodes);
    }
}
