package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.Counting;
import io.weir.rm.slurm.client.GresUnits;
import io.weir.rm.slurm.client.PartitionCaps;
import io.weir.rm.slurm.client.ProcessorLayout;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.rm.slurm.client.SlurmNode;
import io.weir.rm.slurm.client.Switches;
import io.weir.schemas.NodeAllocation;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which partitions the nodes are in, what these are like, and how many cores the nodes have. Of several partitions that a job may run in, Slurm tries one after the other and gives up
 * at one that does not have the nodes named. One thread.
 */
public final class NodePartitions {
    private final Map<String, List<String>> partitions = new HashMap<>();
    private final Map<String, Integer> threads = new HashMap<>();
    private final Map<String, Integer> sockets = new HashMap<>();
    private final Map<String, Integer> cores = new HashMap<>();
    private final Map<String, Integer> threadsOfNodes = new HashMap<>();
    private Map<String, ProcessorLayout> layouts = Map.of();
    private MemoryRule memory = MemoryRule.UNKNOWN;
    private PartitionCaps caps = PartitionCaps.NONE;
    private Switches switches = Switches.NONE;
    private GresUnits units = GresUnits.ONES;

    /**
     * Takes over what Slurm tells of all nodes; returns whether their processors lie otherwise than before, or other units are
     * needed for what they have.
     */
    boolean see(List<SlurmNode> nodes) {
        Map<String, ProcessorLayout> before = layouts;
        GresUnits unitsBefore = units;
        units = GresUnits.of(nodes);
        layouts = nodes.stream().collect(Collectors.toMap(SlurmNode::name, SlurmNode::layout, (a, b) -> b));
        partitions.clear();
        threads.clear();
        sockets.clear();
        cores.clear();
        threadsOfNodes.clear();
        for (SlurmNode node : nodes) {
            partitions.put(node.name(), node.partitions());
            cores.put(node.name(), node.procs() / node.threads());
            threadsOfNodes.put(node.name(), node.threads());
            for (String partition : node.partitions()) {
                threads.merge(partition, node.threads(), Math::max);
                sockets.merge(partition, node.layout().sockets(), Math::min);
            }
        }
        return !layouts.equals(before) || !units.equals(unitsBefore);
    }

    /** Returns the nodes that have fewer sockets, cores or threads than the job asks for. */
    Set<String> lackingLayout(SlurmJob job) {
        ProcessorLayout asked = job.demands().layout();
        return asked.equals(ProcessorLayout.LEAST)
                ? Set.of()
                : layouts.entrySet().stream()
                        .filter(node -> !node.getValue().has(asked))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Returns the nodes on which a job that may run in {@code some} partitions would run in one of those that are closed to it. */
    Set<String> closed(Collection<String> some, Set<String> closed) {
        return closed.isEmpty()
                ? Set.of()
                : partitions.entrySet().stream()
                        .filter(node -> !Collections.disjoint(node.getValue(), some)
                                && node.getValue().stream()
                                        .filter(some::contains)
                                        .allMatch(closed::contains))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
    }

    /** Says whether nodes were seen in each of these partitions. */
    boolean knowsAll(Collection<String> some) {
        return threads.keySet().containsAll(some);
    }

    /**
     * Takes over what holds for all nodes; returns whether it is another than before.
     *
     * @param rule whether Slurm counts memory
     * @param now how many processors of each node partitions give
     */
    boolean see(MemoryRule rule, PartitionCaps now) {
        boolean changed = rule != memory || !now.equals(caps);
        memory = rule;
        caps = now;
        return changed;
    }

    /** Takes over on which switches nodes hang; returns whether that is another than before. */
    boolean see(Switches now) {
        boolean changed = !now.equals(switches);
        switches = now;
        return changed;
    }

    /** Returns what stands for their switches among the features of the nodes of these partitions, sorted. */
    List<String> switches(Collection<String> some) {
        return partitions.entrySet().stream()
                .filter(node -> !Collections.disjoint(node.getValue(), some))
                .flatMap(node -> switches.feature(node.getKey()).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Says whether these nodes hang on several switches. */
    public boolean areOnSeveralSwitches(Collection<String> nodes) {
        return switches.count(nodes) > 1;
    }

    /** Says whether a job has its nodes to itself because it has all of their memory. */
    boolean givesAllMemory(SlurmJob job) {
        return memory == MemoryRule.COUNTED && job.demands().amounts().areWithoutMemory();
    }

    /**
     * Returns how Slurm counts what a job in these partitions has. Of several nobody knows beforehand which it will be, and so which
     * part of a node's processors it may have beside other jobs.
     */
    Counting counting(List<String> some) {
        boolean one = some.size() == 1;
        return new Counting(
                threads(some),
                some.stream()
                        .mapToInt(partition -> sockets.getOrDefault(partition, Integer.MAX_VALUE))
                        .min()
                        .orElse(Integer.MAX_VALUE),
                one ? caps.resource(some.get(0)) : null,
                one ? Integer.MAX_VALUE : caps.most(some),
                memory != MemoryRule.UNCOUNTED,
                units);
    }

    /**
     * Returns on how few nodes of these partitions tasks have room by their processors, with no other job there; one more than there
     * are where they have none.
     *
     * @param procs of each task
     * @param most tasks on a node; 0 for any number
     */
    int fewest(List<String> some, int tasks, int procs, int most) {
        List<Integer> rooms = partitions.entrySet().stream()
                .filter(node -> !Collections.disjoint(node.getValue(), some))
                .map(node -> cores(node.getKey()) * threadsOfNodes.getOrDefault(node.getKey(), 1) / Math.max(1, procs))
                .map(room -> most > 0 ? Math.min(room, most) : room)
                .sorted(Comparator.reverseOrder())
                .toList();
        int count = 0;
        for (int left = tasks; left > 0 && count < rooms.size(); count++) {
            left -= rooms.get(count);
            if (left <= 0) {
                return count + 1;
            }
        }
        return rooms.size() + 1;
    }

    /** Returns in what the generic resources of the nodes are counted. */
    GresUnits units() {
        return units;
    }

    /** Returns how many processors a core has on nodes of these partitions, the most where they differ; at least 1. */
    int threads(Collection<String> some) {
        return some.stream()
                .mapToInt(partition -> threads.getOrDefault(partition, 1))
                .max()
                .orElse(1);
    }

    /**
     * Returns what a job has of its nodes, in whole cores: where Slurm gives processors (CR_CPU) it counts those that the job uses,
     * though others get none of its cores.
     */
    List<NodeAllocation> wholeCores(SlurmJob job) {
        boolean counted =
                job.allocation().stream().allMatch(node -> node.getProcs() >= procsOfCores(job, node.getNodeId()));
        return counted
                ? job.allocation()
                : job.allocation().stream()
                        .map(node -> new NodeAllocation(
                                node.getNodeId(), Math.max(node.getProcs(), procsOfCores(job, node.getNodeId()))))
                        .toList();
    }

    private int procsOfCores(SlurmJob job, String node) {
        return job.cores().getOrDefault(node, 0) * threadsOfNodes.getOrDefault(node, 1);
    }

    /** Returns how many cores of a node are for jobs; 0 for a node that is not known. */
    int cores(String node) {
        return cores.getOrDefault(node, 0);
    }

    /**
     * Returns those of {@code some}, in their order, that have all these nodes and give so much of each; all of them where that is not
     * known.
     */
    public List<String> having(Collection<NodeAllocation> nodes, List<String> some) {
        List<String> having = some.stream()
                .filter(partition -> nodes.stream()
                        .allMatch(node ->
                                partitions.getOrDefault(node.getNodeId(), some).contains(partition)
                                        && node.getProcs() <= caps.of(partition, Integer.MAX_VALUE)))
                .toList();
        return having.isEmpty() ? some : having;
    }
}
