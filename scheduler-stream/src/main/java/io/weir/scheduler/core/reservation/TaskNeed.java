package io.weir.scheduler.core.reservation;

/**
 * What one task takes of a node, by resource index, and how many tasks a node may get. Immutable; the arrays it hands out
 * are not to be written.
 */
public final class TaskNeed {
    private final int[] resources;
    private final int[] amounts;
    private final int[] full;
    private final int most;
    private final int least;
    private final int multiple;

    /** Creates the need of a task of which any number may share a node. */
    public TaskNeed(int... full) {
        this(full, Integer.MAX_VALUE, 1, 1);
    }

    /**
     * Creates the need of a task.
     *
     * @param full amount of every resource, by index; 0 for none
     * @param most tasks on one node at most, whatever is free
     * @param least tasks on one node at least
     * @param multiple the tasks on one node are a multiple of this
     */
    public TaskNeed(int[] full, int most, int least, int multiple) {
        this.full = full.clone();
        this.most = most;
        this.least = least;
        this.multiple = multiple;
        int count = 0;
        for (int amount : full) {
            count += amount > 0 ? 1 : 0;
        }
        resources = new int[count];
        amounts = new int[count];
        int next = 0;
        for (int r = 0; r < full.length; r++) {
            if (full[r] > 0) {
                resources[next] = r;
                amounts[next++] = full[r];
            }
        }
    }

    /** Returns the amount of every resource. */
    public int[] full() {
        return full;
    }

    /** Returns how many tasks one node takes at most. */
    public int most() {
        return most;
    }

    /** Returns how many of {@code feasible} tasks a node may get; 0 when that is too few. */
    public int usable(int feasible) {
        int whole = multiple == 1 ? feasible : feasible - feasible % multiple;
        return whole < least ? 0 : whole;
    }

    /** Indexes of the resources it takes something of. */
    int[] resources() {
        return resources;
    }

    /** Amounts, parallel to {@link #resources}. */
    int[] amounts() {
        return amounts;
    }
}
