package io.weir.scheduler.core.job;

import io.weir.scheduler.core.node.Capacity;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Resources that tasks take: each of them, and all that lie on a node together. Amounts of 0 ask for none.
 *
 * @param procs processors of each task, all on one node, at least 1
 * @param memoryMb memory of each task, MB
 * @param swapMb swap of each task, MB
 * @param diskMb local disk of each task, MB
 * @param gres generic resources of each task by name, of which some are asked for: amounts of 0 are left out
 * @param perNode what is taken at least of each node used
 */
public record TaskResources(
        int procs, long memoryMb, long swapMb, long diskMb, SortedMap<String, Long> gres, NodeMinimum perNode) {
    private static final TaskResources ONE_PROCESSOR = processors(1);

    public TaskResources {
        gres = NodeMinimum.asked(gres);
    }

    /** Creates resources of which a node gives no more than its tasks take. */
    public TaskResources(int procs, long memoryMb, long swapMb, long diskMb, SortedMap<String, Long> gres) {
        this(procs, memoryMb, swapMb, diskMb, gres, NodeMinimum.NONE);
    }

    /** Returns the resources of a task that takes processors only. */
    public static TaskResources ofProcs(int procs) {
        return procs == 1 ? ONE_PROCESSOR : processors(procs);
    }

    private static TaskResources processors(int procs) {
        return new TaskResources(procs, 0, 0, 0, Collections.emptySortedMap());
    }

    /** Returns whether processors are all it takes, and no more of a node than its tasks do. */
    public boolean procsOnly() {
        return memoryMb == 0 && swapMb == 0 && diskMb == 0 && gres.isEmpty() && perNode.isNone();
    }

    /** Returns the processors that {@code tasks} on one node take, at least 1. */
    public int procsOf(int tasks) {
        return Math.max(tasks * procs, perNode.procs());
    }

    /** Returns what {@code tasks} on one node, at least 1, take of it besides generic resources. */
    public Capacity amountsOf(int tasks) {
        return new Capacity(procsOf(tasks), memoryOf(tasks), tasks * swapMb, tasks * diskMb);
    }

    /** Returns the memory that {@code tasks} on one node take, at least 1, MB. */
    public long memoryOf(int tasks) {
        return Math.max(tasks * memoryMb, perNode.memoryMb());
    }

    /** Returns how much of the generic resource {@code name} {@code tasks} on one node take, at least 1. */
    public long gresOf(String name, int tasks) {
        return Math.max(tasks * gres.getOrDefault(name, 0L), perNode.gres().getOrDefault(name, 0L));
    }

    /** Returns the generic resources that {@code tasks} on one node take, at least 1, by name. */
    public SortedMap<String, Long> gresOf(int tasks) {
        if (gres.isEmpty() && perNode.gres().isEmpty()) {
            return Collections.emptySortedMap();
        }
        SortedMap<String, Long> taken = new TreeMap<>(perNode.gres());
        gres.forEach((name, each) -> taken.merge(name, each * tasks, Math::max));
        return taken;
    }

    /** Returns how many tasks a node has processors for of which {@code free} are free. */
    public long tasksByProcs(long free) {
        return tasks(free, procs, perNode.procs());
    }

    /** Returns how many tasks a node has memory for of which {@code free} MB are free. */
    public long tasksByMemory(long free) {
        return tasks(free, memoryMb, perNode.memoryMb());
    }

    /** Returns how many tasks a node has generic resources {@code name} for of which {@code free} are free. */
    public long tasksByGres(String name, long free) {
        return tasks(free, gres.getOrDefault(name, 0L), perNode.gres().getOrDefault(name, 0L));
    }

    /** Returns how many tasks {@code free} has room for, generic resources aside. */
    public long tasksWithin(Capacity free) {
        return Math.min(
                Math.min(tasksByProcs(free.procs()), tasksByMemory(free.memoryMb())),
                Math.min(tasks(free.swapMb(), swapMb, 0), tasks(free.diskMb(), diskMb, 0)));
    }

    private static long tasks(long free, long each, long least) {
        if (free < least) {
            return 0;
        }
        return each == 0 ? Integer.MAX_VALUE : Math.max(0, free) / each;
    }
}
