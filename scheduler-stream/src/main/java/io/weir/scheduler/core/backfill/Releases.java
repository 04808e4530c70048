package io.weir.scheduler.core.backfill;

import java.util.Arrays;

/**
 * What was given back since a plan was made, in order. Whoever remembers something that holds as long as free resources
 * only become fewer reads on here from where it was, before it relies on what it remembers.
 */
final class Releases {
    private long plan;
    private int[] positions = new int[16];
    private int[] from = new int[16];
    private int[] to = new int[16];
    private int size;

    /** Starts anew: another plan. */
    void clear() {
        plan++;
        size = 0;
    }

    /** Adds that there may be more on the node at {@code position} during [start, end). */
    void add(int position, int start, int end) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
            from = Arrays.copyOf(from, size * 2);
            to = Arrays.copyOf(to, size * 2);
        }
        positions[size] = position;
        from[size] = start;
        to[size++] = end;
    }

    /** Returns the number of the plan. */
    long plan() {
        return plan;
    }

    int size() {
        return size;
    }

    int position(int i) {
        return positions[i];
    }

    int from(int i) {
        return from[i];
    }

    int to(int i) {
        return to[i];
    }
}
