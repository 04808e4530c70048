package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * Free processors of a class of interchangeable nodes over time: a step function from an instant to infinity.
 *
 * <p>Segment {@code i} holds {@code free[i]} processors from {@code times[i]} to {@code times[i + 1]}, the last one for
 * ever. Arrays keep it compact and ordered: finding a slot walks the segments once, taking or giving back a slot shifts
 * them by one memory move. Jobs count processors here and get nodes when they start; on uniform nodes that loses nothing,
 * and a cluster of N single-processor nodes is one node with N processors. The idea of the free list over time is
 * that of D. Lifka's EASY and of conservative backfilling (A. Mu'alem and D. Feitelson, 2001).
 */
public final class AvailabilityProfile {
    /** Stands for an instant that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    private long[] times = new long[64];
    private long[] free = new long[64];
    private int size;

    /** Starts anew: {@code procs} free from {@code now} on, for ever. */
    public void reset(long now, long procs) {
        times[0] = now;
        free[0] = procs;
        size = 1;
    }

    /** Adds {@code procs} from {@code at} on; instants must come in ascending order, before any slot is taken. */
    public void append(long at, long procs) {
        int last = size - 1;
        if (at <= times[last]) {
            free[last] += procs;
            return;
        }
        grow();
        times[size] = at;
        free[size] = free[last] + procs;
        size++;
    }

    /**
     * Returns the earliest instant at or after {@code from} at which {@code procs} are free for {@code duration} seconds,
     * or {@link #NEVER}.
     */
    public long earliest(long from, long duration, long procs) {
        int i = segment(from);
        long start = from;
        boolean open = true;
        for (; i < size; i++) {
            if (free[i] < procs) {
                open = false;
                continue;
            }
            if (!open) {
                start = times[i];
                open = true;
            }
            if (i + 1 == size || times[i + 1] - start >= duration) {
                return start;
            }
        }
        return NEVER;
    }

    /** Returns whether {@code procs} are free from {@code from} for {@code duration} seconds. */
    public boolean fits(long from, long duration, long procs) {
        long end = from + duration;
        for (int i = segment(from); i < size && times[i] < end; i++) {
            if (free[i] < procs) {
                return false;
            }
        }
        return true;
    }

    /** Takes {@code procs} from {@code start} for {@code duration} seconds, whether free or not. */
    public void take(long start, long duration, long procs) {
        add(start, start + duration, -procs);
    }

    /** Gives back what {@link #take} took. */
    public void giveBack(long start, long duration, long procs) {
        add(start, start + duration, procs);
    }

    /** Returns the free processors at {@code instant}. */
    public long freeAt(long instant) {
        return free[segment(instant)];
    }

    /** Returns the first instant after {@code instant} at which the number of free processors may change, or NEVER. */
    public long nextStep(long instant) {
        int next = segment(instant) + 1;
        return next < size ? times[next] : NEVER;
    }

    /** Returns whether more is taken than there is at any time. */
    public boolean overcommitted() {
        for (int i = 0; i < size; i++) {
            if (free[i] < 0) {
                return true;
            }
        }
        return false;
    }

    private void add(long from, long to, long procs) {
        if (to <= from) {
            return;
        }
        int first = split(from);
        int last = split(to);
        for (int i = first; i < last; i++) {
            free[i] += procs;
        }
        join(last);
        join(first);
    }

    /** Makes {@code instant} the start of a segment and returns that segment. */
    private int split(long instant) {
        int i = segment(instant);
        if (times[i] >= instant) {
            return i;
        }
        grow();
        System.arraycopy(times, i + 1, times, i + 2, size - i - 1);
        System.arraycopy(free, i + 1, free, i + 2, size - i - 1);
        times[i + 1] = instant;
        free[i + 1] = free[i];
        size++;
        return i + 1;
    }

    /** Drops the start of segment {@code i} when it changes nothing. */
    private void join(int i) {
        if (i > 0 && i < size && free[i] == free[i - 1]) {
            System.arraycopy(times, i + 1, times, i, size - i - 1);
            System.arraycopy(free, i + 1, free, i, size - i - 1);
            size--;
        }
    }

    /** Returns the segment {@code instant} lies in; the first one for earlier instants. */
    private int segment(long instant) {
        int found = Arrays.binarySearch(times, 0, size, instant);
        return found >= 0 ? found : Math.max(0, -found - 2);
    }

    private void grow() {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            free = Arrays.copyOf(free, size * 2);
        }
    }
}
