package io.weir.command.topics;

import io.weir.schemas.NodeReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Nodes that are alike to every job: in size, features, classes and generic resources, as they were reported last. */
final class NodeKinds {
    private final Map<String, List<Object>> kinds = new HashMap<>();

    NodeKinds(String cluster, List<NodeReport> reports) {
        for (NodeReport node : reports) {
            if (node.getCluster().equals(cluster)) {
                kinds.put(
                        node.getNodeId(),
                        List.of(
                                node.getProcs(),
                                node.getMemoryMb(),
                                node.getDiskMb(),
                                new TreeSet<>(node.getFeatures()),
                                new TreeSet<>(node.getClasses()),
                                node.getGres(),
                                String.valueOf(node.getPartition()),
                                String.valueOf(node.getArch()),
                                String.valueOf(node.getOs())));
            }
        }
    }

    /** Returns whether there are as many of each kind in both; a node nobody reported is like no other. */
    boolean alike(Collection<String> some, Collection<String> others) {
        return kinds.keySet().containsAll(some)
                && kinds.keySet().containsAll(others)
                && counted(some).equals(counted(others));
    }

    private Map<List<Object>, Integer> counted(Collection<String> nodes) {
        Map<List<Object>, Integer> counted = new HashMap<>();
        nodes.forEach(node -> counted.merge(kinds.getOrDefault(node, List.of()), 1, Integer::sum));
        return counted;
    }
}
