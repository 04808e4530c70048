package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;

/**
 * FASTEST: the nodes of the highest node speed where speeds differ, else of the highest processor speed where any is
 * known, else in a random order that changes with each iteration.
 */
final class FastestPolicy implements NodeSortingPolicy {
    @Override
    public boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        Candidates candidates = ranking.candidates();
        double[] keys = ranking.keys();
        if (NodeSpeed.differ(candidates)) {
            for (int i = 0; i < candidates.size(); i++) {
                keys[i] = NodeSpeed.of(candidates.node(i));
            }
        } else if (NodeSpeed.anyClocked(candidates)) {
            for (int i = 0; i < candidates.size(); i++) {
                keys[i] = NodeSpeed.clock(candidates.node(i));
            }
        } else {
            for (int i = 0; i < candidates.size(); i++) {
                keys[i] = NodeDraw.of(ranking.seed(), candidates.position(i));
            }
        }
        return false;
    }

    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        ranking.sortByKeys(from, to);
    }

    @Override
    public boolean repeatable() {
        return false;
    }
}
