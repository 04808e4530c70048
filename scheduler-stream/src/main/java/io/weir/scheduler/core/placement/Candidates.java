package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import java.util.Arrays;

/**
 * The nodes that could hold tasks of one requirement over one interval, in index order, as parallel arrays: how many
 * tasks each can hold for the whole interval, how long it was free before, how long it stays free afterwards, and whether
 * the job is drawn to it. Filled once, then only read and narrowed.
 */
public final class Candidates {
    /** Slack of a node with no later reservation, and what {@link #availableSince} is at most. */
    public static final long FOREVER = Long.MAX_VALUE;

    private final NodeTable nodes;
    private int size;
    private int[] positions;
    private int[] tasks;
    private long[] availableSince;
    private long[] slack;
    private NodeAffinity[] affinity;

    /** Creates an empty list over {@code nodes}. */
    public Candidates(NodeTable nodes, int expected) {
        this.nodes = nodes;
        int room = Math.max(expected, 8);
        positions = new int[room];
        tasks = new int[room];
        availableSince = new long[room];
        slack = new long[room];
        affinity = new NodeAffinity[room];
    }

    /** Adds a node; positions must come in ascending order. */
    public void add(int position, int feasibleTasks, long freeSince, long freeAfter, NodeAffinity drawn) {
        if (size == positions.length) {
            int room = size * 2;
            positions = Arrays.copyOf(positions, room);
            tasks = Arrays.copyOf(tasks, room);
            availableSince = Arrays.copyOf(availableSince, room);
            slack = Arrays.copyOf(slack, room);
            affinity = Arrays.copyOf(affinity, room);
        }
        positions[size] = position;
        tasks[size] = feasibleTasks;
        availableSince[size] = freeSince;
        slack[size] = freeAfter;
        affinity[size] = drawn;
        size++;
    }

    /** Returns the table the nodes are in. */
    public NodeTable nodes() {
        return nodes;
    }

    /** Returns how many nodes there are. */
    public int size() {
        return size;
    }

    /** Returns the place of candidate {@code i} in the node table. */
    public int position(int i) {
        return positions[i];
    }

    /** Returns candidate {@code i}. */
    public EffectiveNode node(int i) {
        return nodes.at(positions[i]);
    }

    /** Returns how many tasks candidate {@code i} can hold for the whole interval, at least 1. */
    public int tasks(int i) {
        return tasks[i];
    }

    /** Returns the earliest instant from which candidate {@code i} is free for the job through its end, epoch seconds. */
    public long availableSince(int i) {
        return availableSince[i];
    }

    /** Returns for how many seconds after the interval candidate {@code i} stays free, or {@link #FOREVER}. */
    public long slack(int i) {
        return slack[i];
    }

    /** Returns whether the job is drawn to candidate {@code i}. */
    public NodeAffinity affinity(int i) {
        return affinity[i];
    }

    /** Returns the candidates at {@code chosen} (indexes into this list, ascending) as a list of their own. */
    public Candidates only(int[] chosen) {
        Candidates some = new Candidates(nodes, chosen.length);
        for (int i : chosen) {
            some.add(positions[i], tasks[i], availableSince[i], slack[i], affinity[i]);
        }
        return some;
    }

    /** Returns the tasks all candidates together can hold. */
    public long totalTasks() {
        long sum = 0;
        for (int i = 0; i < size; i++) {
            sum += tasks[i];
        }
        return sum;
    }
}
