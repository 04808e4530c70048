package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Whether there are nodes enough for a job whose requirements share none. */
final class DividedNodes {
    private final NodePlacer placement;

    DividedNodes(ExplanationContext context) {
        placement = context.placement();
    }

    /** Returns whether any requirement of {@code job} has to lie apart from another. */
    static boolean matter(Job job) {
        List<Requirement> requirements = job.request().requirements();
        return requirements.size() > 1
                && requirements.stream()
                        .anyMatch(requirement -> requirement.demands().apart());
    }

    /**
     * Returns whether fewer nodes have room now than the requirements of {@code job} take at least, each of which has room by
     * itself.
     */
    boolean lacking(Job job) {
        BitSet there = new BitSet();
        int apart = 0;
        int shared = 0;
        for (Requirement requirement : job.request().requirements()) {
            Candidates candidates = placement.candidates(job, requirement, null, null);
            int[] room = new int[candidates.size()];
            for (int i = 0; i < room.length; i++) {
                there.set(candidates.position(i));
                room[i] = candidates.tasks(i);
            }
            int least = Math.max(
                    fewest(room, requirement.tasks()), requirement.nodeCount().least());
            if (requirement.demands().apart()) {
                apart += least;
            } else {
                shared = Math.max(shared, least);
            }
        }
        return apart + shared > there.cardinality();
    }

    /** Returns how many nodes with {@code room} tasks that many lie on at least. */
    private static int fewest(int[] room, int tasks) {
        Arrays.sort(room);
        int nodes = 0;
        long left = tasks;
        for (int i = room.length - 1; i >= 0 && left > 0; i--) {
            left -= room[i];
            nodes++;
        }
        return nodes;
    }
}
