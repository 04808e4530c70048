package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * What searches for requests of one plan key have taught: a request of at least as many tasks for at least as long cannot
 * start earlier. It holds as long as free resources only become fewer; what comes free has to be told.
 */
public final class StartBounds {
    private static final int MOST = 512;

    /** Numbers of a bound, side by side: tasks, seconds, and the earliest start. */
    private static final int WIDTH = 3;

    private static final int SECONDS = 1;
    private static final int START = 2;

    private int[] bounds = new int[4 * WIDTH];
    private int used;

    /** Forgets everything. */
    public void clear() {
        used = 0;
    }

    /** Learns that {@code count} tasks for {@code duration} cannot start before {@code start}. */
    public void learn(int count, int duration, int start) {
        for (int at = 0; at < used; at += WIDTH) {
            if (bounds[at] <= count && bounds[at + SECONDS] <= duration && bounds[at + START] >= start) {
                return;
            }
        }
        int kept = 0;
        for (int at = 0; at < used; at += WIDTH) {
            boolean implied = bounds[at] >= count && bounds[at + SECONDS] >= duration && bounds[at + START] <= start;
            if (!implied) {
                put(kept, bounds[at], bounds[at + SECONDS], bounds[at + START]);
                kept += WIDTH;
            }
        }
        used = kept;
        if (used == MOST * WIDTH) {
            forgetWeakest();
        }
        if (used == bounds.length) {
            bounds = Arrays.copyOf(bounds, used * 2);
        }
        put(used, count, duration, start);
        used += WIDTH;
    }

    /**
     * Hears that something came free from {@code instant} on. A start whose interval ends by then is as impossible as it
     * was; nothing is known any more of later ones.
     */
    public void freeFrom(int instant) {
        int kept = 0;
        for (int at = 0; at < used; at += WIDTH) {
            int start = (int) Math.min(bounds[at + START], (long) instant - bounds[at + SECONDS] + 1);
            if (start > 0) {
                put(kept, bounds[at], bounds[at + SECONDS], start);
                kept += WIDTH;
            }
        }
        used = kept;
    }

    /** Returns the earliest instant at which {@code count} tasks for {@code duration} could start, at least 0. */
    public int earliest(int count, int duration) {
        int start = 0;
        for (int at = 0; at < used; at += WIDTH) {
            if (bounds[at] <= count && bounds[at + SECONDS] <= duration && bounds[at + START] > start) {
                start = bounds[at + START];
            }
        }
        return start;
    }

    /** Returns whether {@code count} tasks for {@code duration} can only start later than at {@code instant}. */
    public boolean later(int count, int duration, int instant) {
        for (int at = 0; at < used; at += WIDTH) {
            if (bounds[at] <= count && bounds[at + SECONDS] <= duration && bounds[at + START] > instant) {
                return true;
            }
        }
        return false;
    }

    /** Drops the bound that says least: the earliest start. */
    private void forgetWeakest() {
        int weakest = 0;
        for (int at = WIDTH; at < used; at += WIDTH) {
            if (bounds[at + START] < bounds[weakest + START]) {
                weakest = at;
            }
        }
        used -= WIDTH;
        put(weakest, bounds[used], bounds[used + SECONDS], bounds[used + START]);
    }

    private void put(int at, int count, int duration, int start) {
        bounds[at] = count;
        bounds[at + SECONDS] = duration;
        bounds[at + START] = start;
    }
}
