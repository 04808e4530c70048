package io.weir.scheduler.core.job;

import io.weir.schemas.NameCount;
import io.weir.schemas.TaskRequirement;
import java.util.ArrayList;
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
 * @param tasksPerNode tasks on each node; null leaves it to the scheduler
 * @param tasksPerNodeAtLeast whether that is the least instead of the exact number
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
        SortedMap<String, Long> gres = new TreeMap<>();
        record.getGres().forEach(g -> gres.put(g.getName(), g.getCount()));
        return new Requirement(
                record.getTasks(),
                new TaskResources(
                        record.getProcsPerTask(), record.getMemoryMb(), record.getSwapMb(), record.getDiskMb(), gres),
                new NodeDemands(
                        record.getFeatures(),
                        record.getArch(),
                        record.getOs(),
                        record.getNetwork(),
                        record.getNodeConditions(),
                        record.getClasses(),
                        record.getHosts(),
                        record.getExcludedHosts(),
                        record.getApart()),
                record.getNodes(),
                record.getTasksPerNode(),
                record.getTasksPerNodeAtLeast(),
                new NodeCount(record.getLeastNodes(), record.getMostNodes(), record.getMostTasksPerNode()));
    }

    /** Returns this requirement as the record that stores and topics hold. */
    public TaskRequirement toRecord() {
        return new TaskRequirement(
                tasks,
                resources.procs(),
                resources.memoryMb(),
                resources.swapMb(),
                resources.diskMb(),
                genericResources(),
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
                demands.apart());
    }

    private List<NameCount> genericResources() {
        if (resources.gres().isEmpty()) {
            return List.of();
        }
        List<NameCount> records = new ArrayList<>(resources.gres().size());
        resources.gres().forEach((name, count) -> records.add(new NameCount(name, count)));
        return records;
    }

    /** Returns the part of this requirement that has {@code some} of its tasks and, when it asks for nodes, {@code on} of these. */
    public Requirement part(int some, int on) {
        Integer asked = nodes == null ? null : Integer.valueOf(on);
        return new Requirement(some, resources, demands, asked, tasksPerNode, tasksPerNodeAtLeast, nodeCount);
    }

    /** Returns this requirement for the nodes that the job asks for. */
    Requirement withoutHosts() {
        return demands.hosts().isEmpty()
                ? this
                : new Requirement(
                        tasks, resources, demands.withoutHosts(), nodes, tasksPerNode, tasksPerNodeAtLeast, nodeCount);
    }

    /** Returns the processors of all tasks. */
    public int procs() {
        return tasks * resources.procs();
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
