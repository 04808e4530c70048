package io.weir.scheduler.core.placement;

/**
 * Chooses one run of consecutive node indexes: the smallest that holds the job, of equal ones the lowest, taken from its
 * low end. Owned by the core's thread.
 */
final class ContiguousChoice {
    private final SlotOrder sorter = new SlotOrder();

    /**
     * Puts the chosen run at the front of {@code slots[0..count)} and deals the tasks over it.
     *
     * @return how many slots of the front the tasks were dealt over; 0 when no run holds the job
     */
    int choose(int[] slots, int count, int[] index, int[] room, TaskShape shape, TaskDistributor distributor) {
        sorter.sort(slots, 0, count, (a, b) -> Integer.compare(index[a], index[b]));
        int bestFrom = 0;
        int bestLength = Integer.MAX_VALUE;
        for (int from = 0; from < count; ) {
            int to = from + 1;
            while (to < count && index[slots[to]] == index[slots[to - 1]] + 1) {
                to++;
            }
            if (to - from < bestLength && place(slots, from, to, room, shape, distributor) >= 0) {
                bestFrom = from;
                bestLength = to - from;
            }
            from = to;
        }
        if (bestLength == Integer.MAX_VALUE) {
            return 0;
        }
        int start = place(slots, bestFrom, bestFrom + bestLength, room, shape, distributor);
        int length = bestFrom + bestLength - start;
        System.arraycopy(slots, start, slots, 0, length);
        return length;
    }

    /** Returns the lowest place in the run from which the job lies without a gap; -1 when there is none. */
    private static int place(int[] slots, int from, int to, int[] room, TaskShape shape, TaskDistributor distributor) {
        for (int start = from; start < to; start++) {
            if (!distributor.deal(slots, start, to, room, shape)) {
                return -1;
            }
            if (gapless(distributor, to - start)) {
                return start;
            }
        }
        return -1;
    }

    private static boolean gapless(TaskDistributor distributor, int length) {
        int used = 0;
        while (used < length && distributor.taken(used) > 0) {
            used++;
        }
        for (int rest = used; rest < length; rest++) {
            if (distributor.taken(rest) > 0) {
                return false;
            }
        }
        return used > 0;
    }
}
