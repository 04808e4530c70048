package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShape;

/**
 * MAXBALANCE: the nodes whose speeds lie closest together. Of all windows over the sorted speeds that hold the job it
 * takes the one of least span, of equal ones the fastest. Goes by processor speed where any is known, else by node speed.
 */
final class MaxBalancePolicy implements NodeAllocationPolicy {
    @Override
    public boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        Candidates candidates = ranking.candidates();
        double[] speed = ranking.keys();
        boolean clocked = NodeSpeed.anyClocked(candidates);
        for (int i = 0; i < candidates.size(); i++) {
            speed[i] = clocked ? NodeSpeed.clock(candidates.node(i)) : NodeSpeed.of(candidates.node(i));
        }
        return false;
    }

    @Override
    public boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to) {
        return ranking.dealt(balanced(ranking, to));
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    /**
     * Puts the chosen nodes at the front of the copied slots in the order of ties and deals the tasks over them.
     *
     * @return over how many slots they were dealt; 0 when the first {@code count} together do not hold the job
     */
    private static int balanced(CandidateRanking ranking, int count) {
        int[] slots = ranking.copy(count);
        double[] speed = ranking.keys();
        int[] room = ranking.room();
        TaskShape shape = ranking.shape();
        TaskDistributor distributor = ranking.distributor();
        SlotOrder sorter = ranking.sorter();
        SlotOrder.Comparison ties = ranking.ties();
        sorter.sort(slots, 0, count, (a, b) -> {
            int order = Double.compare(speed[a], speed[b]);
            return order != 0 ? order : ties.compare(a, b);
        });
        int bestFrom = 0;
        int bestTo = 0;
        double bestSpan = Double.POSITIVE_INFINITY;
        int to = 0;
        long usable = 0;
        for (int from = 0; from < count; from = next(slots, count, speed, from)) {
            if (to <= from) {
                to = from;
                usable = 0;
            }
            while (to < count && usable < shape.tasks()) {
                int end = next(slots, count, speed, to);
                usable += usable(slots, to, end, room, shape);
                to = end;
            }
            while (usable >= shape.tasks() && !distributor.deal(slots, from, to, room, shape) && to < count) {
                int end = next(slots, count, speed, to);
                usable += usable(slots, to, end, room, shape);
                to = end;
            }
            if (usable < shape.tasks() || !distributor.deal(slots, from, to, room, shape)) {
                break;
            }
            double span = speed[slots[to - 1]] - speed[slots[from]];
            if (span <= bestSpan + SlotOrder.TIE) {
                bestSpan = Math.min(span, bestSpan);
                bestFrom = from;
                bestTo = to;
            }
            usable -= usable(slots, from, next(slots, count, speed, from), room, shape);
        }
        int length = bestTo - bestFrom;
        if (length == 0) {
            return 0;
        }
        System.arraycopy(slots, bestFrom, slots, 0, length);
        sorter.sort(slots, 0, length, ties);
        distributor.deal(slots, 0, length, room, shape);
        return length;
    }

    /** Returns the first place after {@code from} with another speed. */
    private static int next(int[] slots, int count, double[] speed, int from) {
        int next = from + 1;
        while (next < count && speed[slots[next]] == speed[slots[from]]) {
            next++;
        }
        return next;
    }

    private static long usable(int[] slots, int from, int to, int[] room, TaskShape shape) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += shape.usable(room[slots[i]]);
        }
        return sum;
    }
}
