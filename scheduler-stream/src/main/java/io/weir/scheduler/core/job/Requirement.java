package io.weir.scheduler.core.job;

import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import io.weir.schemas.bound.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One group of like tasks of a job.
 *
 * @param tasks tasks, at least 1
 * @param resources what each takes
 * @param demands what its node must be like
 * @param nodes nodes to use; null leaves it to the scheduler
 * @param tasksPerNode tasks that stay together on a node; null leaves it to the scheduler
 * @param tasksPerNodeAtLeast whether that is the least that a node takes, instead of the size of groups, of which a node takes
 *     one where {@code nodeCount} says so
 * @param nodeCount on how many nodes they may lie
 */
public record Requirement(
        int tasks,
        TaskResources resources,
        NodeDemands demands,
        @Nullable Integer nodes,
        @Nullable Integer tasksPerNode,
        boolean tasksPerNodeAtLeast,
        NodeCount nodeCount) {
    /** Creates a requirement whose tasks may lie on any number of nodes. */
    public Requirement(
            int tasks,
            TaskResources resources,
            NodeDemands demands,
            @Nullable Integer nodes,
            @Nullable Integer tasksPerNode,
            boolean tasksPerNodeAtLeast) {
        this(tasks, resources, demands, nodes, tasksPerNode, tasksPerNodeAtLeast, NodeCount.ANY);
    }

    /** Returns the requirement of a job that only asks for processors. */
    public static Requirement ofProcs(int tasks, int procsPerTask) {
        return new Requirement(tasks, TaskResources.ofProcs(procsPerTask), NodeDemands.NONE, null, null, false);
    }

    static Requirement from(TaskRequirement record) {
        return new Requirement(
                record.getTasks(),
                new TaskResources(
                        record.getProcsPerTask(),
                        record.getMemoryMb(),
                        record.getSwapMb(),
                        record.getDiskMb(),
                        counts(record.getGres()),
                        minimum(record)),
                new NodeDemands(
                        record.getFeatures(),
                        record.getArch(),
                        record.getOs(),
                        record.getNetwork(),
                        record.getNodeConditions(),
                        record.getClasses(),
                        record.getHosts(),
                        record.getExcludedHosts(),
                        record.getApart(),
                        record.getRequiredHosts()),
                record.getNodes(),
                record.getTasksPerNode(),
                record.getTasksPerNodeAtLeast(),
                new NodeCount(
                        record.getLeastNodes(),
                        record.getMostNodes(),
                        record.getMostTasksPerNode(),
                        record.getFewestNodes(),
                        record.getMoldable()));
    }

    /** Returns this requirement as the record that stores and topics hold. */
    public TaskRequirement toRecord() {
        return new TaskRequirement(
                tasks,
                resources.procs(),
                resources.memoryMb(),
                resources.swapMb(),
                resources.diskMb(),
                records(resources.gres()),
                demands.features(),
                demands.arch(),
                demands.os(),
                demands.network(),
                demands.conditions(),
                nodes,
                tasksPerNode,
                tasksPerNodeAtLeast,
                nodeCount.least(),
                nodeCount.most(),
                nodeCount.mostTasks(),
                demands.classes(),
                demands.hosts(),
                demands.excludedHosts(),
                demands.apart(),
                resources.perNode().procs(),
                resources.perNode().memoryMb(),
                records(resources.perNode().gres()),
                demands.requiredHosts(),
                nodeCount.fewest(),
                nodeCount.moldable());
    }

    private static NodeMinimum minimum(TaskRequirement record) {
        return record.getNodeProcs() == 0
                        && record.getNodeMemoryMb() == 0
                        && record.getNodeGres().isEmpty()
                ? NodeMinimum.NONE
                : new NodeMinimum(record.getNodeProcs(), record.getNodeMemoryMb(), counts(record.getNodeGres()));
    }

    private static SortedMap<String, Long> counts(List<NameCount> records) {
        if (records.isEmpty()) {
            return Collections.emptySortedMap();
        }
        SortedMap<String, Long> counts = new TreeMap<>();
        records.forEach(record -> counts.put(record.getName(), record.getCount()));
        return counts;
    }

    private static List<NameCount> records(SortedMap<String, Long> counts) {
        if (counts.isEmpty()) {
            return List.of();
        }
        List<NameCount> records = new ArrayList<>(counts.size());
        counts.forEach((name, count) -> records.add(new NameCount(name, count)));
        return records;
    }

    /** Returns the part of this requirement that has {@code some} of its tasks and, when it asks for nodes, {@code on} of these. */
    public Requirement part(int some, int on) {
        Integer asked = nodes == null ? null : Integer.valueOf(on);
        return new Requirement(some, resources, demands, asked, tasksPerNode, tasksPerNodeAtLeast, nodeCount);
    }

    /** Returns this requirement with an exact number of tasks per node as the most that a node may take. */
    Requirement withExactTasks() {
        Integer exact = tasksPerNodeAtLeast ? null : tasksPerNode;
        return exact == null
                ? this
                : new Requirement(
                        tasks, resources, demands, nodes, tasksPerNode, false, nodeCount.withMostTasks(exact));
    }

    /** Returns this requirement, when it is moldable, as one of which each node takes as many tasks. */
    Requirement withMoldedTasks() {
        if (!nodeCount.moldable()) {
            return this;
        }
        int each = tasksOfEachNode();
        Integer together = each > 1 ? Integer.valueOf(each) : tasksPerNode;
        return new Requirement(tasks, resources, demands, nodes, together, false, nodeCount.withMostTasks(each));
    }

    /** Returns this moldable requirement as it is on {@code some} nodes; null when no job may have so many tasks or processors. */
    @Nullable
    Requirement molded(int some) {
        long grown = (long) tasksOfEachNode() * some;
        return grown > Limit.PROCS || grown * resources.procs() > Limit.PROCS ? null : part((int) grown, some);
    }

    /** Returns how many tasks each node of a moldable requirement gets. */
    private int tasksOfEachNode() {
        if (tasksPerNode != null && !tasksPerNodeAtLeast) {
            return tasksPerNode;
        }
        int least = Math.max(1, nodeCount.least());
        return (tasks + least - 1) / least;
    }

    /** Returns this requirement for the nodes that the job asks for. */
    Requirement withoutHosts() {
        return demands.hosts().isEmpty() && demands.requiredHosts().isEmpty()
                ? this
                : new Requirement(
                        tasks, resources, demands.withoutHosts(), nodes, tasksPerNode, tasksPerNodeAtLeast, nodeCount);
    }

    /** Returns the processors that all tasks take at least. */
    public int procs() {
        int byTask = tasks * resources.procs();
        int least = resources.perNode().procs();
        return least == 0 ? byTask : (int) Math.min(Integer.MAX_VALUE, Math.max(byTask, (long) least * leastNodes()));
    }

    /** Returns the memory that all tasks take at least, MB. */
    public long memoryMb() {
        long byTask = tasks * resources.memoryMb();
        long least = resources.perNode().memoryMb();
        return least == 0 ? byTask : Math.max(byTask, least * leastNodes());
    }

    /** Returns how many nodes it uses at least. */
    private int leastNodes() {
        return Math.max(1, Math.max(nodes == null ? 0 : nodes, nodeCount.least()));
    }

    /** Returns whether it asks for nothing but single processors anywhere. */
    public boolean fungible() {
        return resources.procs() == 1
                && resources.procsOnly()
                && demands.equals(NodeDemands.NONE)
                && nodes == null
                && tasksPerNode == null
                && nodeCount.isAny();
    }
}
