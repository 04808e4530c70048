package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;

/** A policy that sorts the candidates and takes the first that hold the tasks. */
public interface NodeSortingPolicy extends NodeAllocationPolicy {
    /** Sorts the candidates at places {@code [from, to)} of {@code ranking}, best first. */
    void sort(CandidateRanking ranking, int from, int to);

    @Override
    default boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to) {
        ranking.onlyDealt();
        sort(ranking, from, to);
        return ranking.dealInOrder(to);
    }
}
