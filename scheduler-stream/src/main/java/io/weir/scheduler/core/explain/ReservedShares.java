package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the reservations of waiting jobs keep of each node, as far as they name nodes. Serves one iteration. */
final class ReservedShares {
    /**
     * What one reservation keeps of one node.
     *
     * @param planned the job, its processors there, and from when to when
     * @param memoryMb memory, MB
     */
    record Share(PlannedShare planned, long memoryMb) {
        /** Returns whether it is kept at {@code instant}, epoch seconds. */
        boolean at(long instant) {
            return planned.from() <= instant && instant < planned.to();
        }
    }

    /** By position of a node; never iterated. */
    private final Map<Integer, List<Share>> shares = new LinkedHashMap<>();

    ReservedShares(ReservationTable reservations, JobTable jobs, NodeTable nodes) {
        for (Reservation reservation : reservations.all()) {
            Job holder = jobs.get(reservation.jobId());
            if (holder != null) {
                add(reservation, holder, nodes);
            }
        }
    }

    private void add(Reservation reservation, Job holder, NodeTable nodes) {
        List<Requirement> requirements = holder.request().requirements();
        Map<Integer, Share> here = new TreeMap<>();
        for (TaskPlacement placed : reservation.placements()) {
            int position = nodes.position(placed.getNodeId());
            if (position < 0 || placed.getRequirement() >= requirements.size()) {
                continue;
            }
            TaskResources task = requirements.get(placed.getRequirement()).resources();
            PlannedShare planned =
                    new PlannedShare(holder, task.procsOf(placed.getTasks()), reservation.start(), reservation.end());
            here.merge(position, new Share(planned, task.memoryOf(placed.getTasks())), ReservedShares::sum);
        }
        here.forEach((position, share) ->
                shares.computeIfAbsent(position, p -> new ArrayList<>()).add(share));
    }

    private static Share sum(Share one, Share other) {
        PlannedShare planned = one.planned();
        return new Share(
                new PlannedShare(
                        planned.job(), planned.procs() + other.planned().procs(), planned.from(), planned.to()),
                one.memoryMb() + other.memoryMb());
    }

    /** Returns what others than {@code job} are to hold of the node at {@code position} at some time before {@code end}. */
    List<Share> beside(Job job, int position, long end) {
        return shares.getOrDefault(position, List.of()).stream()
                .filter(share -> share.planned().from() < end
                        && !share.planned().job().id().equals(job.id()))
                .toList();
    }
}
