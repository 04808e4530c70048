package io.weir.scheduler.core.job;

/**
 * On how many nodes the tasks of a requirement may lie. Each node used gets a task at least.
 *
 * @param least fewest nodes; 0 for any number
 * @param most most nodes; 0 for any number
 * @param mostTasks most tasks on one node; 0 for any number
 * @param fewest whether as few nodes are used as have room for all tasks: instead of as many as there are where most is given,
 *     and instead of the first that have room for one where it is not
 * @param moldable whether the tasks are those of the fewest nodes, and each further one that is free when the job starts gets
 *     as many more
 */
public record NodeCount(int least, int most, int mostTasks, boolean fewest, boolean moldable) {
    /** Any number of nodes will do. */
    public static final NodeCount ANY = new NodeCount(0, 0, 0);

    /** Creates a number of nodes of which as many are used as there are for tasks whose number is fixed. */
    public NodeCount(int least, int most, int mostTasks) {
        this(least, most, mostTasks, false, false);
    }

    /** Returns the same with another number of tasks as the most that a node may have. */
    NodeCount withMostTasks(int tasks) {
        return new NodeCount(least, most, tasks, fewest, moldable);
    }

    /** Returns the same for tasks whose number is fixed. */
    NodeCount fixed() {
        return moldable ? new NodeCount(least, most, 0) : this;
    }

    /** Returns whether nodes with room for the tasks are all that it takes, be they as few as will do or not. */
    public boolean hasNoBound() {
        return least <= 1 && most == 0 && mostTasks == 0;
    }

    /** Returns whether it leaves everything open. */
    public boolean isAny() {
        return equals(ANY);
    }
}
