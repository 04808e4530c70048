package io.weir.scheduler.core.timeline;

import java.util.Arrays;

/**
 * What searches for requests of one plan key have taught: a request of at least as many tasks for at least as long cannot
 * start earlier. It holds as long as free resources only become fewer; what comes free has to be told.
 */
public final class StartBounds {
    private static final int MOST = 512;

    private int[] tasks = new int[4];
    private int[] seconds = new int[4];
    private int[] starts = new int[4];
    private int size;

    /** Forgets everything. */
    public void clear() {
        size = 0;
    }

    /** Learns that {@code count} tasks for {@code duration} cannot start before {@code start}. */
    public void learn(int count, int duration, int start) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (tasks[i] <= count && seconds[i] <= duration && starts[i] >= start) {
                return;
            }
        }
        for (int i = 0; i < size; i++) {
            boolean implied = tasks[i] >= count && seconds[i] >= duration && starts[i] <= start;
            if (!implied) {
                tasks[kept] = tasks[i];
                seconds[kept] = seconds[i];
                starts[kept++] = starts[i];
            }
        }
        size = kept;
        if (size == MOST) {
            forgetWeakest();
        }
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, size * 2);
            seconds = Arrays.copyOf(seconds, size * 2);
            starts = Arrays.copyOf(starts, size * 2);
        }
        tasks[size] = count;
        seconds[size] = duration;
        starts[size++] = start;
    }

    /**
     * Hears that something came free from {@code instant} on. A start whose interval ends by then is as impossible as it
     * was; nothing is known any more of later ones.
     */
    public void freeFrom(int instant) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            int start = (int) Math.min(starts[i], (long) instant - seconds[i] + 1);
            if (start > 0) {
                tasks[kept] = tasks[i];
                seconds[kept] = seconds[i];
                starts[kept++] = start;
            }
        }
        size = kept;
    }

    /** Returns the earliest instant at which {@code count} tasks for {@code duration} could start, at least 0. */
    public int earliest(int count, int duration) {
        int start = 0;
        for (int i = 0; i < size; i++) {
            if (tasks[i] <= count && seconds[i] <= duration && starts[i] > start) {
                start = starts[i];
            }
        }
        return start;
    }

    /** Returns whether {@code count} tasks for {@code duration} can only start later than at {@code instant}. */
    public boolean later(int count, int duration, int instant) {
        for (int i = 0; i < size; i++) {
            if (tasks[i] <= count && seconds[i] <= duration && starts[i] > instant) {
                return true;
            }
        }
        return false;
    }

    /** Drops the limit that says least: the earliest start. */
    private void forgetWeakest() {
        int weakest = 0;
        for (int i = 1; i < size; i++) {
            if (starts[i] < starts[weakest]) {
                weakest = i;
            }
        }
        size--;
        tasks[weakest] = tasks[size];
        seconds[weakest] = seconds[size];
        starts[weakest] = starts[size];
    }
}
