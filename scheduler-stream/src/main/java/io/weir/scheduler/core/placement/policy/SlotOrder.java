package io.weir.scheduler.core.placement.policy;

/**
 * Sorts the slots of candidates. A stable merge sort on plain arrays that are reused; owned by the core's thread.
 */
final class SlotOrder {
    /** Values that differ by no more count as equal. */
    static final double TIE = 1e-9;

    private int[] buffer = new int[16];

    /** Compares two slots; negative when the first is the better one. */
    @FunctionalInterface
    interface Comparison {
        int compare(int a, int b);
    }

    /** Sorts {@code slots[from..to)}, best first. */
    void sort(int[] slots, int from, int to, Comparison comparison) {
        if (buffer.length < to) {
            buffer = new int[Math.max(to, 2 * buffer.length)];
        }
        split(slots, from, to, comparison);
    }

    /**
     * Sorts {@code slots[from..to)} by value, highest first, and those whose values are {@linkplain #TIE equal} by
     * {@code ties}.
     */
    void sortDescending(int[] slots, int from, int to, double[] values, Comparison ties) {
        sort(slots, from, to, (a, b) -> {
            int order = Double.compare(values[b], values[a]);
            return order != 0 ? order : ties.compare(a, b);
        });
        int start = from;
        while (start < to) {
            int end = start + 1;
            boolean exact = true;
            while (end < to && values[slots[start]] - values[slots[end]] <= TIE) {
                exact &= values[slots[start]] == values[slots[end]];
                end++;
            }
            if (!exact) {
                sort(slots, start, end, ties);
            }
            start = end;
        }
    }

    private void split(int[] slots, int from, int to, Comparison comparison) {
        if (to - from <= 12) {
            insert(slots, from, to, comparison);
            return;
        }
        int middle = (from + to) >>> 1;
        split(slots, from, middle, comparison);
        split(slots, middle, to, comparison);
        if (comparison.compare(slots[middle - 1], slots[middle]) <= 0) {
            return;
        }
        System.arraycopy(slots, from, buffer, from, middle - from);
        int left = from;
        int right = middle;
        for (int out = from; left < middle; out++) {
            if (right < to && comparison.compare(slots[right], buffer[left]) < 0) {
                slots[out] = slots[right++];
            } else {
                slots[out] = buffer[left++];
            }
        }
    }

    private static void insert(int[] slots, int from, int to, Comparison comparison) {
        for (int i = from + 1; i < to; i++) {
            int slot = slots[i];
            int j = i;
            while (j > from && comparison.compare(slot, slots[j - 1]) < 0) {
                slots[j] = slots[j - 1];
                j--;
            }
            slots[j] = slot;
        }
    }
}
