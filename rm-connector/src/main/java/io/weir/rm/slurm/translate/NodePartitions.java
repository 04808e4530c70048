package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which partitions the nodes are in. Of several partitions that a job may run in, Slurm tries one after the other and gives up
 * at one that does not have the nodes named. One thread.
 */
public final class NodePartitions {
    private final Map<String, List<String>> partitions = new HashMap<>();

    /** Takes over what Slurm tells of all nodes. */
    void see(List<SlurmNode> nodes) {
        partitions.clear();
        nodes.forEach(node -> partitions.put(node.name(), node.partitions()));
    }

    /** Returns those of {@code some}, in their order, that have all these nodes; all of them where that is not known. */
    public List<String> having(Collection<String> nodes, List<String> some) {
        List<String> having = some.stream()
                .filter(partition -> nodes.stream()
                        .allMatch(node -> partitions.getOrDefault(node, some).contains(partition)))
                .toList();
        return having.isEmpty() ? some : having;
    }
}
