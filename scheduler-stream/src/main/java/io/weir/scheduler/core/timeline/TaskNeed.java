package io.weir.scheduler.core.timeline;

import org.jspecify.annotations.Nullable;

/**
 * What one task takes of a node, by resource index, and how many tasks a node may get. Immutable; the arrays it hands out
 * are not to be written.
 */
public final class TaskNeed {
    /** What every node has of the resource that counts who is there; whoever shares it takes a little of that. */
    public static final int PRESENCE = 1 << 20;

    private static final int[] NOTHING = {};

    private final int[] resources;
    private final int[] amounts;

    /** The least that a task takes, parallel to {@link #resources}; null where it is the amounts. */
    private final int @Nullable [] first;

    private final int[] full;

    /** The least taken of a node, by resource; empty where that is what its tasks take. */
    private final int[] perNode;

    private final int most;
    private final int least;
    private final int multiple;
    private final int presence;
    private final NodeSharing sharing;

    /** Creates the need of a task of which any number may share a node, with whom as the node says. */
    public TaskNeed(int... full) {
        this(full, NOTHING, Integer.MAX_VALUE, 1, 1, -1, NodeSharing.AS_THE_NODE_SAYS);
    }

    /**
     * Creates the need of a task.
     *
     * @param full amount of every resource, by index; 0 for none
     * @param perNode likewise, the least taken of a node, however few tasks lie there; empty for no such minimum
     * @param most tasks on one node at most, whatever is free
     * @param least tasks on one node at least
     * @param multiple the tasks on one node are a multiple of this
     * @param presence resource that only counts who is there, {@link #PRESENCE} of it on every node; -1 for none
     * @param sharing who else may be there
     */
    public TaskNeed(int[] full, int[] perNode, int most, int least, int multiple, int presence, NodeSharing sharing) {
        this.full = full.clone();
        this.perNode = perNode.clone();
        this.most = most;
        this.least = least;
        this.multiple = multiple;
        this.presence = presence;
        this.sharing = sharing;
        int count = 0;
        for (int r = 0; r < full.length; r++) {
            count += takes(r) ? 1 : 0;
        }
        resources = new int[count];
        amounts = new int[count];
        first = perNode.length == 0 ? null : new int[count];
        int next = 0;
        for (int r = 0; r < full.length; r++) {
            if (takes(r)) {
                resources[next] = r;
                if (first != null) {
                    first[next] = (int) taken(r, 1);
                }
                amounts[next++] = full[r];
            }
        }
    }

    /** Returns whether a node has to have something of {@code resource}, who is there left aside. */
    public boolean takes(int resource) {
        return resource != presence && taken(resource, 1) > 0;
    }

    /** Returns what so many tasks on one node take of {@code resource}. */
    public long taken(int resource, int tasks) {
        long byTask = (long) full[resource] * tasks;
        return perNode.length == 0 || tasks == 0 ? byTask : Math.max(byTask, perNode[resource]);
    }

    /** Returns how many tasks, at most {@code limit}, a node has room for that has {@code free} of a resource they take. */
    public int fitting(int resource, int free, int limit) {
        if (free < taken(resource, 1)) {
            return 0;
        }
        return full[resource] == 0 ? limit : Math.min(limit, free / full[resource]);
    }

    /** Returns whether of a node no more is taken than its tasks take. */
    public boolean byTasksAlone() {
        return perNode.length == 0;
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
        return new TaskNeed(amounts, NOTHING, Integer.MAX_VALUE, 1, 1, presence, sharing);
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
                && perNode.length == 0
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

    /** Amounts, parallel to {@link #resources}; 0 where only the node's minimum counts. */
    int[] amounts() {
        return amounts;
    }

    /** The least that a task takes, parallel to {@link #resources}; null where it is the amounts. */
    int @Nullable [] first() {
        return first;
    }
}
