package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShape;

/**
 * CONTIGUOUS: one run of consecutive node indexes. Takes the smallest run that holds the job, of equal ones the lowest,
 * from its low end.
 */
final class ContiguousPolicy implements NodeAllocationPolicy {
    /** Node indexes by slot. */
    private int[] index = new int[16];

    @Override
    public boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        Candidates candidates = ranking.candidates();
        if (index.length < candidates.size()) {
            index = new int[Math.max(candidates.size(), 2 * index.length)];
        }
        for (int i = 0; i < candidates.size(); i++) {
            index[i] = candidates.node(i).index();
        }
        return false;
    }

    @Override
    public boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to) {
        return ranking.dealt(run(ranking, to));
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public boolean consecutive() {
        return true;
    }

    /**
     * Puts the chosen run at the front of the copied slots and deals the tasks over it.
     *
     * @return over how many slots they were dealt; 0 when no run among the first {@code count} holds the job
     */
    private int run(CandidateRanking ranking, int count) {
        int[] slots = ranking.copy(count);
        int[] room = ranking.room();
        TaskShape shape = ranking.shape();
        TaskDistributor distributor = ranking.distributor();
        ranking.sorter().sort(slots, 0, count, (a, b) -> Integer.compare(index[a], index[b]));
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
