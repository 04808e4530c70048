package io.weir.rm.simulated;

import io.weir.schemas.NodeAllocation;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a job was started and for how long at most. In the ledger: {@code <limit> <node>:<procs>,<node>:<procs>}.
 *
 * @param limit wallclock limit in seconds, at least 1
 * @param allocation processors by node, in the order of the command
 */
record Placement(long limit, List<NodeAllocation> allocation) {
    Placement {
        allocation = List.copyOf(allocation);
    }

    /** Returns the processors of the whole allocation. */
    long procs() {
        return allocation.stream().mapToLong(NodeAllocation::getProcs).sum();
    }

    /** Returns this placement with further nodes. */
    Placement with(List<NodeAllocation> more) {
        List<NodeAllocation> all = new ArrayList<>(allocation);
        all.addAll(more);
        return new Placement(limit, all);
    }

    /** Returns this placement without those nodes. */
    Placement without(List<NodeAllocation> less) {
        List<NodeAllocation> left = new ArrayList<>(allocation);
        left.removeAll(less);
        return new Placement(limit, left);
    }

    /** Returns this placement with another limit. */
    Placement limitedTo(long seconds) {
        return new Placement(seconds, allocation);
    }

    /** Returns the form the ledger keeps. */
    String format() {
        StringBuilder text = new StringBuilder(16 + 10 * allocation.size()).append(limit);
        char separator = ' ';
        for (NodeAllocation node : allocation) {
            text.append(separator).append(node.getNodeId()).append(':').append(node.getProcs());
            separator = ',';
        }
        return text.toString();
    }

    /** Reads what {@link #format} wrote. */
    static Placement parse(String text) {
        int space = text.indexOf(' ');
        List<NodeAllocation> nodes = new ArrayList<>();
        for (String node : text.substring(space + 1).split(",", -1)) {
            int colon = node.lastIndexOf(':');
            nodes.add(new NodeAllocation(node.substring(0, colon), Integer.parseInt(node.substring(colon + 1))));
        }
        return new Placement(Long.parseLong(text.substring(0, space)), nodes);
    }
}
