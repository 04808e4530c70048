package io.weir.scheduler.core.job;

import java.util.Arrays;

/**
 * Sorts numbers that were sorted before each was shifted by one of few amounts: those shifted by the same amount are still
 * in order, so that they are dealt out by their shift and merged. Costs n log(shifts) steps through memory in order.
 */
final class IncrementalSort {
    /** With more shifts than this sorting from scratch is as fast. */
    static final int MOST_SHIFTS = 256;

    private long[] numbers = new long[0];
    private long[] other = new long[0];

    /**
     * Sorts the first {@code size} numbers.
     *
     * @param shifted the numbers, in the order they had before they were shifted
     * @param shifts by what each was shifted, from 0 to {@link #MOST_SHIFTS} exclusive
     * @return the numbers in order; valid until the next call
     */
    long[] sort(long[] shifted, int[] shifts, int size) {
        if (numbers.length < size) {
            numbers = new long[size + size / 2];
            other = new long[numbers.length];
        }
        int[] ends = deal(shifted, shifts, size);
        int runs = ends.length;
        while (runs > 1) {
            int merged = 0;
            int from = 0;
            for (int run = 0; run < runs; run += 2) {
                int middle = ends[run];
                int to = run + 1 < runs ? ends[run + 1] : middle;
                merge(from, middle, to);
                ends[merged++] = to;
                from = to;
            }
            runs = merged;
            long[] result = other;
            other = numbers;
            numbers = result;
        }
        return numbers;
    }

    /** Puts numbers of equal shift together and returns where each run ends; there are no empty ones. */
    private int[] deal(long[] shifted, int[] shifts, int size) {
        int[] places = new int[MOST_SHIFTS];
        for (int i = 0; i < size; i++) {
            places[shifts[i]]++;
        }
        int[] ends = new int[MOST_SHIFTS];
        int runs = 0;
        int end = 0;
        for (int shift = 0; shift < MOST_SHIFTS; shift++) {
            int count = places[shift];
            places[shift] = end;
            end += count;
            if (count > 0) {
                ends[runs++] = end;
            }
        }
        for (int i = 0; i < size; i++) {
            numbers[places[shifts[i]]++] = shifted[i];
        }
        return Arrays.copyOf(ends, runs);
    }

    private void merge(int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takeLeft = right == to || (left < middle && numbers[left] <= numbers[right]);
            other[i] = numbers[takeLeft ? left++ : right++];
        }
    }
}
