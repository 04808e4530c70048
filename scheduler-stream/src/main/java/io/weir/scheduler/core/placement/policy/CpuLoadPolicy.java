package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.Candidates;

/**
 * CPULOAD: the nodes with the most processors unused by measured load; none whose load reaches its processors. The load
 * is known for the present only, so that a later start uses MINRESOURCE.
 */
final class CpuLoadPolicy implements NodeSortingPolicy {
    private final Availability availability;
    private final NodeAllocationPolicy later;

    CpuLoadPolicy(Availability availability, NodeAllocationPolicy later) {
        this.availability = availability;
        this.later = later;
    }

    @Override
    public NodeAllocationPolicy forStart(boolean immediate) {
        return immediate ? this : later;
    }

    @Override
    public boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        Candidates candidates = ranking.candidates();
        double[] unused = ranking.keys();
        for (int i = 0; i < candidates.size(); i++) {
            unused[i] = availability.withoutLoad(candidates.position(i));
            if (unused[i] <= 0) {
                ranking.room()[i] = 0;
            }
        }
        return false;
    }

    @Override
    public void sort(CandidateRanking ranking, int from, int to) {
        ranking.sortByKeys(from, to);
    }

    @Override
    public boolean startsOn(int position) {
        return availability.withoutLoad(position) > 0;
    }

    @Override
    public boolean repeatable() {
        return true;
    }
}
