package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.policy.node.TaskDistribution;

/**
 * What a requirement says about how its tasks lie on nodes.
 *
 * @param tasks tasks to place, at least 1
 * @param group tasks that stay together on one node, at least 1: exact tasks per node, or the processors per node of
 *     {@code nodes=x:ppn=y}; what is left over when it does not divide the tasks goes to the last node
 * @param least tasks that every node used has to take at least, at least 1
 * @param exactNodes distinct nodes to use, no more and no fewer; 0 when any number will do
 * @param distribution how tasks are spread
 */
public record TaskShape(int tasks, int group, int least, int exactNodes, TaskDistribution distribution) {
    public TaskShape {
        if (tasks < 1 || group < 1 || least < 1 || exactNodes < 0) {
            throw new IllegalArgumentException(
                    "no shape: " + tasks + " tasks by " + group + ", least " + least + ", nodes " + exactNodes);
        }
    }

    /** Returns a shape of {@code tasks} that may lie anywhere. */
    public static TaskShape of(int tasks) {
        return new TaskShape(tasks, 1, 1, 0, TaskDistribution.DEFAULT);
    }

    /** Returns how many tasks a node with room for {@code room} can take under this shape. */
    public int usable(int room) {
        int whole = room - room % group;
        return whole < Math.max(group, Math.min(least, tasks)) ? 0 : whole;
    }
}
