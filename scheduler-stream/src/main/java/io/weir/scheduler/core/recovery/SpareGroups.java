package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.placement.ClassHosts;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.state.ClusterState;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The nodes that the names of HotSpareCount stand for: those of the partition, or of the class where no node is in a partition
 * of that name. Slurm's partitions and PBS's queues are classes. Costs a walk over the nodes up to the first of each partition.
 */
final class SpareGroups {
    private final SitePolicy policy;
    private final Set<String> partitions = new TreeSet<>();
    private final SortedMap<String, ClassHosts> hosts = new TreeMap<>();

    SpareGroups(ClusterState state, Set<String> names) {
        policy = state.domain.policy;
        for (int i = 0; i < state.nodes.size() && partitions.size() < names.size(); i++) {
            String partition = state.nodes.at(i).partition();
            if (names.contains(partition)) {
                partitions.add(partition);
            }
        }
        for (String name : names) {
            if (!partitions.contains(name)) {
                hosts.put(name, new ClassHosts(policy.jobClass(name)));
            }
        }
    }

    /** Returns whether {@code node} is one of those that {@code name} stands for. */
    boolean holds(String name, EffectiveNode node) {
        ClassHosts ofClass = hosts.get(name);
        return ofClass == null
                ? partitions.contains(name) && node.partition().equals(name)
                : isOfClass(name, node) && ofClass.test(node.id());
    }

    /** Returns what a pool is of, for people. */
    String describe(String name) {
        return (partitions.contains(name) ? "partition " : "class ") + name;
    }

    private boolean isOfClass(String name, EffectiveNode node) {
        return node.classes().isEmpty()
                ? policy.classes().containsKey(name)
                : node.classes().containsKey(name);
    }
}
