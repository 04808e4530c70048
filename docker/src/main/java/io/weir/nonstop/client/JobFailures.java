package io.weir.nonstop.client;

import java.util.List;

/**
 * The nodes of a job and what befell them.
 *
 * @param nodes its nodes in the order of the allocation
 * @param cpusPerNode its processors on them, as {@code 2(x2),1}
 * @param lost its failed and failing nodes
 * @param pendingDelay minutes left of those granted for the wait for a node
 * @param pendingId what is queued for it; empty for nothing
 * @param pendingNode node that is awaited; empty for none
 * @param replacedCount nodes replaced so far
 * @param balance minutes by which its time limit may be extended
 */
public record JobFailures(
        List<String> nodes,
        String cpusPerNode,
        List<LostNode> lost,
        long pendingDelay,
        String pendingId,
        String pendingNode,
        int replacedCount,
        long balance) {
    public JobFailures {
        nodes = List.copyOf(nodes);
        lost = List.copyOf(lost);
    }

    /**
     * A failed or failing node.
     *
     * @param name its name
     * @param cpus processors the job had there
     * @param state FAILED or FAILING
     */
    public record LostNode(String name, int cpus, String state) {}
}
