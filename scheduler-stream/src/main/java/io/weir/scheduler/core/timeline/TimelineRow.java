package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * The timelines of a plan, by number: first one of its own for every node, then copies for those who may use less of a
 * node than others. What is taken from a node is taken from all its timelines. They note together what they lost.
 */
public final class TimelineRow {
    private final int nodes;
    private final int resources;
    private final TimelineColumns columns;
    private final TimelineLosses losses;

    /** By number; those of copies that were dropped are kept to be used again. */
    private ResourceTimeline[] lines;

    /** By number, the node it is of. */
    private int[] node;

    /** By number, the next copy of the same node; -1 for none. */
    private int[] next;

    private int size;

    /** Creates the timelines of {@code nodes} nodes with {@code resources} resources and nothing free. */
    public TimelineRow(int nodes, int resources) {
        this.nodes = nodes;
        this.resources = resources;
        columns = new TimelineColumns(resources);
        losses = new TimelineLosses(nodes);
        lines = new ResourceTimeline[nodes];
        node = new int[nodes];
        next = new int[nodes];
        Arrays.setAll(lines, this::made);
        Arrays.setAll(node, i -> i);
        Arrays.fill(next, -1);
        size = nodes;
    }

    private ResourceTimeline made(int number) {
        return new ResourceTimeline(resources, columns, losses, number);
    }

    /** Returns how many nodes there are. */
    public int nodes() {
        return nodes;
    }

    /** Returns how many timelines there are. */
    public int size() {
        return size;
    }

    /** Returns a timeline by its number; for less than {@link #nodes} the node's own. */
    public ResourceTimeline at(int number) {
        return lines[number];
    }

    /** Returns the node that a timeline is of. */
    public int node(int number) {
        return node[number];
    }

    /** Returns the number of the next copy of the same node after a timeline, -1 for none. */
    public int next(int number) {
        return next[number];
    }

    /** Makes another timeline of a node, as its own is now, and returns its number. */
    public int copy(int of) {
        if (size == lines.length) {
            int more = size + size / 2 + 1;
            lines = Arrays.copyOf(lines, more);
            node = Arrays.copyOf(node, more);
            next = Arrays.copyOf(next, more);
            losses.grow(more);
        }
        int number = size++;
        if (lines[number] == null) {
            lines[number] = made(number);
        }
        lines[number].copy(lines[of]);
        node[number] = of;
        next[number] = next[of];
        next[of] = number;
        return number;
    }

    /** Drops all copies. */
    public void dropCopies() {
        size = nodes;
        Arrays.fill(next, 0, nodes, -1);
    }

    /** Takes {@code count} times {@code amounts} from a node during [from, to); a negative count gives back. */
    public void take(int of, int from, int to, int[] amounts, int count) {
        for (int number = of; number >= 0; number = next[number]) {
            lines[number].take(from, to, amounts, count);
        }
    }

    /** Returns where it is noted what was taken. */
    TimelineLosses losses() {
        return losses;
    }
}
