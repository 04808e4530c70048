package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the tasks of one job that were given a place take of the nodes until all of them have one. Owned by the core's
 * thread.
 */
final class PromisedTasks {
    private record Tasks(Requirement requirement, int count) {}

    private final NodeTable nodes;
    private final NodeAmounts amounts = new NodeAmounts();

    /** Generic resources by name, those that a node has itself by its id and their name; never iterated. */
    private final Map<String, Long> gres = new LinkedHashMap<>();

    /** By position of a node; never iterated. */
    private final Map<Integer, List<Tasks>> tasks = new LinkedHashMap<>();

    PromisedTasks(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Adds {@code count} tasks of {@code requirement} on the node at {@code position}. */
    void add(int position, Requirement requirement, int count) {
        Capacity more = requirement.resources().amountsOf(count);
        amounts.add(position, more.procs(), more.memoryMb(), more.swapMb(), more.diskMb());
        EffectiveNode node = nodes.at(position);
        requirement
                .resources()
                .gresOf(count)
                .forEach((name, each) ->
                        gres.merge(node.gres().containsKey(name) ? own(node, name) : name, each, Long::sum));
        tasks.computeIfAbsent(position, there -> new ArrayList<>(1)).add(new Tasks(requirement, count));
    }

    /** Forgets everything, and makes room for the nodes there are now. */
    void clear() {
        amounts.clear(nodes.size());
        gres.clear();
        tasks.clear();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Returns how much of {@code resource} is taken of the node at {@code position}. */
    long of(int position, ResourceKind resource) {
        return amounts.of(position, resource);
    }

    /** Returns what is taken of the node at {@code position} besides generic resources. */
    Capacity at(int position) {
        return amounts.at(position);
    }

    /** Returns how much of the generic resource {@code name} is taken of those that {@code node} has itself. */
    long gresOf(EffectiveNode node, String name) {
        return gres.getOrDefault(own(node, name), 0L);
    }

    /** Returns how much of the generic resource {@code name} is taken of those that no node has. */
    long floating(String name) {
        return gres.getOrDefault(name, 0L);
    }

    /** Returns how many tasks are on the node at {@code position}. */
    long tasksAt(int position) {
        return tasks.getOrDefault(position, List.of()).stream()
                .mapToLong(Tasks::count)
                .sum();
    }

    /** Returns how many tasks on the node at {@code position} count in {@code jobClass}, as parts of {@code request}. */
    long tasksIn(String jobClass, int position, JobRequest request) {
        return tasks.getOrDefault(position, List.of()).stream()
                .filter(some -> jobClass.equals(request.jobClass(some.requirement())))
                .mapToLong(Tasks::count)
                .sum();
    }

    private static String own(EffectiveNode node, String name) {
        return node.id() + "/" + name;
    }
}
