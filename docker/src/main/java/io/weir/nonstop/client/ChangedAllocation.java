package io.weir.nonstop.client;

import java.util.List;

/**
 * A job's nodes after one was replaced or given up.
 *
 * @param replacement node that came; empty for none
 * @param nodes nodes in the order of the allocation
 * @param cpusPerNode processors on them, as {@code 2(x2),1}
 * @param kept why the node is the job's still, besides these, though another came in its place; empty when it left
 */
public record ChangedAllocation(String replacement, List<String> nodes, String cpusPerNode, String kept) {
    public ChangedAllocation {
        nodes = List.copyOf(nodes);
    }
}
