package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.IndexOrder;

/** LASTAVAILABLE: the nodes that are needed again soonest after the job, then the highest index. */
final class LastAvailablePolicy implements NodeSortingPolicy {
    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        ranking.reverse(from, to);
        if (anyNeededAgain(ranking, from, to)) {
            ranking.sort(from, to, ranking.ties());
        }
    }

    @Override
    public boolean repeatable() {
        return true;
    }

    @Override
    public boolean indifferent() {
        return true;
    }

    @Override
    public IndexOrder indexOrder() {
        return IndexOrder.DESCENDING;
    }

    private static boolean anyNeededAgain(CandidateRanking ranking, int from, int to) {
        for (int place = from; place < to; place++) {
            if (ranking.candidates().slack(ranking.at(place)) != Candidates.FOREVER) {
                return true;
            }
        }
        return false;
    }
}
