package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.priority.NodePriorityComponent;

/** PRIORITY: the nodes with the highest value of their priority function. */
final class PriorityPolicy implements NodeSortingPolicy {
    private final NodePriorityEvaluator evaluator;

    PriorityPolicy(NodePriorityEvaluator evaluator) {
        this.evaluator = evaluator;
    }

    @Override
    public boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        evaluator.prepare(
                request.job(),
                request.requirement(),
                request.preferences().preference(),
                request.start(),
                ranking.seed());
        Candidates candidates = ranking.candidates();
        double[] values = ranking.keys();
        for (int i = 0; i < candidates.size(); i++) {
            values[i] = evaluator.value(candidates.position(i), candidates.affinity(i), request.immediate());
        }
        return evaluator.anyNames(candidates, NodePriorityComponent.RSVAFFINITY);
    }

    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        ranking.sortByKeys(from, to);
    }

    @Override
    public boolean repeatable() {
        return evaluator.repeatable();
    }
}
