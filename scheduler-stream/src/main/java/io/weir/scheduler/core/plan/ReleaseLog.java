package io.weir.scheduler.core.plan;

import java.util.Arrays;

/**
 * The slots given back since the plan was made, in order. A cache that is valid only while free resources shrink reads the
 * entries it has not seen yet before it is used.
 */
final class ReleaseLog {
    private long plan;
    private int[] lines = new int[16];
    private int[] from = new int[16];
    private int[] to = new int[16];
    private int size;

    /** Starts over for another plan. */
    void clear() {
        plan++;
        size = 0;
    }

    /** Adds that there may be more on the timeline of that number during [start, end). */
    void add(int line, int start, int end) {
        if (size == lines.length) {
            lines = Arrays.copyOf(lines, size * 2);
            from = Arrays.copyOf(from, size * 2);
            to = Arrays.copyOf(to, size * 2);
        }
        lines[size] = line;
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

    int line(int i) {
        return lines[i];
    }

    int from(int i) {
        return from[i];
    }

    int to(int i) {
        return to[i];
    }
}
