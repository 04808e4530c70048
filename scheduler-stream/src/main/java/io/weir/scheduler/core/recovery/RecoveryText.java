package io.weir.scheduler.core.recovery;

import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.List;

/** An allocation as the failure service's answers have it. */
final class RecoveryText {
    private RecoveryText() {}

    /** Returns the nodes, in the order of the allocation, separated by commas. */
    static String nodes(List<NodeAllocation> allocation) {
        return String.join(
                ",", allocation.stream().map(NodeAllocation::getNodeId).toList());
    }

    /** Returns the processors on each node, equal neighbours counted: {@code 2(x2),1}. */
    static String procs(List<NodeAllocation> allocation) {
        List<String> parts = new ArrayList<>();
        int i = 0;
        while (i < allocation.size()) {
            int procs = allocation.get(i).getProcs();
            int next = i;
            while (next < allocation.size() && allocation.get(next).getProcs() == procs) {
                next++;
            }
            parts.add(next - i == 1 ? Integer.toString(procs) : procs + "(x" + (next - i) + ")");
            i = next;
        }
        return String.join(",", parts);
    }
}
