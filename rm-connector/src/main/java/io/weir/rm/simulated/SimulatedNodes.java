package io.weir.rm.simulated;

import io.weir.schemas.NodeAllocation;
import io.weir.schemas.NodeReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes of the simulated machine, and the judge of over-commitment. Changed only by {@link SimulatedCluster}. */
final class SimulatedNodes {
    private final Map<String, SimulatedNode> byName = new LinkedHashMap<>();

    SimulatedNodes(String cluster, ClusterShape shape, boolean reportUsage) {
        for (int i = 0; i < shape.nodes(); i++) {
            String name = shape.nodeName(i);
            byName.put(name, new SimulatedNode(cluster, name, i, shape.procsPerNode(), reportUsage));
        }
    }

    boolean contains(String name) {
        return byName.containsKey(name);
    }

    /**
     * Says why {@code allocation} cannot be given to a job that wants {@code procs} processors; empty when it can. It may have
     * more, as where nodes are given whole, but no node that none of them is needed on.
     */
    Optional<String> refusal(List<NodeAllocation> allocation, int procs) {
        long total = allocation.stream().mapToLong(NodeAllocation::getProcs).sum();
        return refusal(allocation)
                .or(() -> total >= procs
                        ? Optional.empty()
                        : Optional.of("the allocation has " + total + " processors, the job asked for " + procs))
                .or(() -> allocation.size() <= procs
                        ? Optional.empty()
                        : Optional.of("the allocation has " + allocation.size() + " nodes, the job asked for " + procs
                                + " processors"));
    }

    /** Says why {@code allocation} cannot be given to a job; empty when it can. */
    Optional<String> refusal(List<NodeAllocation> allocation) {
        Set<String> named = new TreeSet<>();
        for (NodeAllocation wanted : allocation) {
            @Nullable SimulatedNode node = byName.get(wanted.getNodeId());
            if (node == null) {
                return Optional.of("there is no node " + wanted.getNodeId());
            }
            if (!named.add(wanted.getNodeId())) {
                return Optional.of("node " + wanted.getNodeId() + " is named twice");
            }
            if (!node.isUp()) {
                return Optional.of("node " + wanted.getNodeId() + " is down");
            }
            if (node.isDrained()) {
                return Optional.of("node " + wanted.getNodeId() + " is drained");
            }
            if (wanted.getProcs() < 1 || wanted.getProcs() > node.free()) {
                return Optional.of("node " + wanted.getNodeId() + " has " + node.free() + " free processors, "
                        + wanted.getProcs() + " are wanted");
            }
        }
        return Optional.empty();
    }

    void take(List<NodeAllocation> allocation) {
        for (NodeAllocation part : allocation) {
            node(part.getNodeId()).take(part.getProcs());
        }
    }

    void giveBack(List<NodeAllocation> allocation) {
        for (NodeAllocation part : allocation) {
            node(part.getNodeId()).giveBack(part.getProcs());
        }
    }

    void setUp(String name, boolean up) {
        node(name).setUp(up);
    }

    void drain(String name, @Nullable String reason) {
        node(name).drain(reason);
    }

    void setFeatures(String name, List<String> features) {
        node(name).setFeatures(features);
    }

    /** Returns the report of every node, by index. */
    List<NodeReport> reports() {
        return byName.values().stream().map(SimulatedNode::report).toList();
    }

    private SimulatedNode node(String name) {
        @Nullable SimulatedNode node = byName.get(name);
        if (node == null) {
            throw new IllegalStateException("there is no node " + name + ": the ledger is of another cluster");
        }
        return node;
    }
}
