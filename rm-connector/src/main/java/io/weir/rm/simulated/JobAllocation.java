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
record JobAllocation(long limit, List<NodeAllocation> allocation) {
    JobAllocation {
        allocation = List.copyOf(allocation);
    }

    /** Returns the processors of the whole allocation. */
    long procs() {
        return allocation.stream().mapToLong(NodeAllocation::getProcs).sum();
    }

    /** Returns this placement with further nodes. */
    JobAllocation with(List<NodeAllocation> more) {
        List<NodeAllocation> all = new ArrayList<>(allocation);
        all.addAll(more);
        return new JobAllocation(limit, all);
    }

    /** Returns this placement without those nodes. */
    JobAllocation without(List<NodeAllocation> less) {
        List<NodeAllocation> left = new ArrayList<>(allocation);
        left.removeAll(less);
        return new JobAllocation(limit, left);
    }

    /** Returns this placement with another limit. */
    JobAllocation limitedTo(long seconds) {
        return new JobAllocation(seconds, allocation);
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
    static JobAllocation parse(String text) {
        int space = text.indexOf(' ');
        List<NodeAllocation> nodes = new ArrayList<>();
        for (String node : text.substring(space + 1).split(",", -1)) {
            int colon = node.lastIndexOf(':');
            nodes.add(new NodeAllocation(node.substring(0, colon), Integer.parseInt(node.substring(colon + 1))));
        }
        return new JobAllocation(Long.parseLong(text.substring(0, space)), nodes);
    }
}
