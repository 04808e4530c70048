package io.weir.scheduler.core.job;

/**
 * On how many nodes the tasks of a requirement may lie. Each node used gets a task at least.
 *
 * @param least fewest nodes; 0 for any number
 * @param most most nodes; 0 for any number. Of a range as many are used as there are
 * @param mostTasks most tasks on one node; 0 for any number
 */
public record NodeCount(int least, int most, int mostTasks) {
    /** Any number of nodes will do. */
    public static final NodeCount ANY = new NodeCount(0, 0, 0);

    /** Returns whether it leaves everything open. */
    public boolean isAny() {
        return equals(ANY);
    }
}
