package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.policy.node.TaskDistribution;

/**
 * What a requirement says about how its tasks lie on nodes.
 *
 * @param tasks tasks to place, at least 1
 * @param group tasks that stay together on one node, at least 1: exact tasks per node, of which {@code count} lets a node
 *     take no more, or the processors per node of {@code nodes=x:ppn=y}, of which it may take several; what is left over when it does not divide the tasks goes to the last node
 * @param least tasks that every node used has to take at least, at least 1
 * @param count distinct nodes to use
 * @param distribution how tasks are spread
 */
public record TaskShape(int tasks, int group, int least, NodeCount count, TaskDistribution distribution) {
    public TaskShape {
        if (tasks < 1 || group < 1 || least < 1 || count.least() < 0 || count.most() < 0) {
            throw new IllegalArgumentException(
                    "no shape: " + tasks + " tasks by " + group + ", least " + least + ", nodes " + count);
        }
    }

    /** Returns a shape of {@code tasks} that may lie anywhere. */
    public static TaskShape of(int tasks) {
        return new TaskShape(tasks, 1, 1, NodeCount.ANY, TaskDistribution.DEFAULT);
    }

    /** Returns how many tasks a node takes together or not at all, be it the whole of a group or the least that it has to take. */
    public int together() {
        return Math.max(group, Math.min(least, tasks));
    }

    /** Returns how many tasks a node with room for {@code room} can take under this shape. */
    public int usable(int room) {
        int taken = count.mostTasks() > 0 ? Math.min(room, count.mostTasks()) : room;
        int whole = taken - taken % group;
        return whole < together() ? 0 : whole;
    }

    /** Returns whether tasks go to the first nodes, in their order, that have room for one, as many as each has room for or in turn. */
    public boolean takesFirst() {
        return group == 1 && least == 1 && onAnyNumber() && distribution != TaskDistribution.DISPERSE;
    }

    /** Returns whether as few nodes as will do are used; where no most is given, tasks are dispersed all the same. */
    public boolean onFewest() {
        return count.fewest() && (count.most() > 0 || distribution != TaskDistribution.DISPERSE);
    }

    /** Returns whether one node is used where one has room for all tasks, and any number of them where none has. */
    public boolean prefersOneNode() {
        return onFewest() && group == 1 && least == 1 && count.hasNoBound();
    }

    /** Returns whether any number of nodes will do, be they more or fewer. */
    public boolean onAnyNumber() {
        return count.least() <= 1 && count.most() == 0 && !onFewest();
    }
}
