package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.placement.Candidates;

/** MINRESOURCE: the nodes with the least configured resources, so that larger ones are left for jobs that need them. */
public final class MinResourcePolicy implements NodeSortingPolicy {
    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        Candidates candidates = ranking.candidates();
        SlotOrder.Comparison ties = ranking.ties();
        ranking.sort(from, to, (a, b) -> {
            int order = compare(candidates.node(a), candidates.node(b));
            return order != 0 ? order : ties.compare(a, b);
        });
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public boolean indifferent() {
        return true;
    }

    /** Compares configured memory, then processors, disk, swap and the number of features; negative when {@code a} has less. */
    public static int compare(EffectiveNode a, EffectiveNode b) {
        Capacity first = a.configured();
        Capacity second = b.configured();
        int order = Long.compare(first.memoryMb(), second.memoryMb());
        if (order == 0) {
            order = Integer.compare(first.procs(), second.procs());
        }
        if (order == 0) {
            order = Long.compare(first.diskMb(), second.diskMb());
        }
        if (order == 0) {
            order = Long.compare(first.swapMb(), second.swapMb());
        }
        return order != 0
                ? order
                : Integer.compare(a.features().size(), b.features().size());
    }
}
