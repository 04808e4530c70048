package io.weir.scheduler.core.placement.policy;

/**
 * Sorts the slots of candidates, or the first of them where the others do not matter. A stable merge sort on plain arrays that
 * are reused; owned by the core's thread.
 */
final class SlotOrder {
    /** Values that differ by no more count as equal. */
    static final double TIE = 1e-9;

    /** So many times as many slots are many. */
    private static final int FEW = 8;

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
     * Puts the best {@code first} of {@code slots[from..to)} in front, best first, and leaves the others behind them in any order:
     * in time that grows with the number of slots, not with its product with a logarithm. For few of many, a heap of those found
     * so far, the worst on top, lets the others pass by (the selection part of heapsort; J. Williams, 1964).
     *
     * @param comparison a total order: no two slots are equal
     */
    void sortFirst(int[] slots, int from, int to, int first, Comparison comparison) {
        if (first >= (to - from) / FEW) {
            sort(slots, from, to, comparison);
            return;
        }
        for (int i = first / 2 - 1; i >= 0; i--) {
            sink(slots, from, first, i, comparison);
        }
        for (int i = from + first; i < to; i++) {
            int slot = slots[i];
            if (comparison.compare(slot, slots[from]) < 0) {
                slots[i] = slots[from];
                slots[from] = slot;
                sink(slots, from, first, 0, comparison);
            }
        }
        sort(slots, from, from + first, comparison);
    }

    /** Lets the slot at place {@code at} of the heap {@code slots[from..from + size)} sink below all worse ones. */
    private static void sink(int[] slots, int from, int size, int at, Comparison comparison) {
        int slot = slots[from + at];
        int place = at;
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && comparison.compare(slots[from + child], slots[from + child + 1]) < 0) {
                child++;
            }
            if (comparison.compare(slots[from + child], slot) <= 0) {
                break;
            }
            slots[from + place] = slots[from + child];
            place = child;
        }
        slots[from + place] = slot;
    }

    /**
     * Sorts {@code slots[from..to)} by value, highest first, and those whose values are {@linkplain #TIE equal} by
     * {@code ties}: the {@code first} best of them at least.
     */
    void sortDescending(int[] slots, int from, int to, int first, double[] values, Comparison ties) {
        Comparison byValue = (a, b) -> {
            int order = Double.compare(values[b], values[a]);
            return order != 0 ? order : ties.compare(a, b);
        };
        int sorted = first >= (to - from) / FEW ? to : from + first;
        sortFirst(slots, from, to, first, byValue);
        if (sorted < to && nearlyEqual(slots, from, sorted, to, values)) {
            sort(slots, from, to, byValue);
            sorted = to;
        }
        settleTies(slots, from, sorted, values, ties);
    }

    /**
     * Returns whether the last of the groups of equal values in {@code slots[from..sorted)} goes on behind it, up to {@code to},
     * and its values are not exactly equal, so that its order is not known yet.
     */
    private static boolean nearlyEqual(int[] slots, int from, int sorted, int to, double[] values) {
        int start = from;
        for (int i = from; i < sorted; i++) {
            if (!(values[slots[start]] - values[slots[i]] <= TIE)) {
                start = i;
            }
        }
        double best = values[slots[start]];
        boolean exact = values[slots[sorted - 1]] == best;
        boolean goesOn = false;
        for (int i = sorted; i < to; i++) {
            double value = values[slots[i]];
            boolean same = best - value <= TIE;
            goesOn |= same;
            exact &= !same || value == best;
        }
        return goesOn && !exact;
    }

    private void settleTies(int[] slots, int from, int to, double[] values, Comparison ties) {
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
