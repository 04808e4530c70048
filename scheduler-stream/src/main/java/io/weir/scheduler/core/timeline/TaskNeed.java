package io.weir.scheduler.core.timeline;

/**
 * What one task takes of a node, by resource index, and how many tasks a node may get. Immutable; the arrays it hands out
 * are not to be written.
 */
public final class TaskNeed {
    /** What every node has of the resource that counts who is there; whoever shares it takes a little of that. */
    public static final int PRESENCE = 1 << 20;

    private final int[] resources;
    private final int[] amounts;
    private final int[] full;
    private final int most;
    private final int least;
    private final int multiple;
    private final int presence;
    private final NodeSharing sharing;

    /** Creates the need of a task of which any number may share a node, with whom as the node says. */
    public TaskNeed(int... full) {
        this(full, Integer.MAX_VALUE, 1, 1, -1, NodeSharing.AS_THE_NODE_SAYS);
    }

    /**
     * Creates the need of a task.
     *
     * @param full amount of every resource, by index; 0 for none
     * @param most tasks on one node at most, whatever is free
     * @param least tasks on one node at least
     * @param multiple the tasks on one node are a multiple of this
     * @param presence resource that only counts who is there, {@link #PRESENCE} of it on every node; -1 for none
     * @param sharing who else may be there
     */
    public TaskNeed(int[] full, int most, int least, int multiple, int presence, NodeSharing sharing) {
        this.full = full.clone();
        this.most = most;
        this.least = least;
        this.multiple = multiple;
        this.presence = presence;
        this.sharing = sharing;
        int count = 0;
        for (int r = 0; r < full.length; r++) {
            count += full[r] > 0 && r != presence ? 1 : 0;
        }
        resources = new int[count];
        amounts = new int[count];
        int next = 0;
        for (int r = 0; r < full.length; r++) {
            if (full[r] > 0 && r != presence) {
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

    /** Returns who else may be on the node. */
    public NodeSharing sharing() {
        return sharing;
    }

    /** Returns the need of a task of {@code amounts}, one for every resource, under the same conditions on who is there. */
    public TaskNeed withAmounts(int[] amounts) {
        return new TaskNeed(amounts, Integer.MAX_VALUE, 1, 1, presence, sharing);
    }

    /** The resource that counts who is there; -1 for none. */
    int presence() {
        return presence;
    }

    /** Returns how many of {@code feasible} tasks a node may get; 0 when that is too few. */
    public int usable(int feasible) {
        int whole = multiple == 1 ? feasible : feasible - feasible % multiple;
        return whole < least ? 0 : whole;
    }

    /** Returns whether a node may get any number of tasks, whoever else is there, each taking one of {@code resource}. */
    public boolean dividesEvenly(int resource) {
        return full[resource] == 1
                && most == Integer.MAX_VALUE
                && least == 1
                && multiple == 1
                && sharing != NodeSharing.NOBODY;
    }

    /** Returns the fewest tasks a node can get, more than none. */
    public int fewest() {
        return least <= multiple ? multiple : (least + multiple - 1) / multiple * multiple;
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
