package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.IndexOrder;

/** FIRSTAVAILABLE: the nodes that have been free for longest, then the lowest index; for a start now, the index alone. */
final class FirstAvailablePolicy implements NodeSortingPolicy {
    @Override
    public boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to) {
        return request.immediate()
                ? ranking.dealInOrder(to)
                : NodeSortingPolicy.super.choose(request, ranking, from, to);
    }

    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        Candidates candidates = ranking.candidates();
        ranking.sort(from, to, (a, b) -> {
            int order = Long.compare(candidates.availableSince(a), candidates.availableSince(b));
            return order != 0 ? order : Integer.compare(a, b);
        });
    }

    @Override
    public boolean repeatable() {
        return false;
    }

    @Override
    public IndexOrder indexOrder() {
        return IndexOrder.ASCENDING;
    }
}
