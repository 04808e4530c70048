package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
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
    /** By position of a node; never iterated. */
    private final Map<Integer, List<PlannedShare>> shares = new LinkedHashMap<>();

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
        Map<Integer, Capacity> here = new TreeMap<>();
        for (TaskPlacement placed : reservation.placements()) {
            int position = nodes.position(placed.getNodeId());
            if (position < 0 || placed.getRequirement() >= requirements.size()) {
                continue;
            }
            TaskResources task = requirements.get(placed.getRequirement()).resources();
            here.merge(position, task.amountsOf(placed.getTasks()), Capacity::plus);
        }
        here.forEach((position, held) -> shares.computeIfAbsent(position, p -> new ArrayList<>())
                .add(new PlannedShare(holder, held, reservation.start(), reservation.end())));
    }

    /** Returns what others than {@code job} are to hold of the node at {@code position} at some time before {@code end}. */
    List<PlannedShare> beside(Job job, int position, long end) {
        return shares.getOrDefault(position, List.of()).stream()
                .filter(share -> share.from() < end && !share.job().id().equals(job.id()))
                .toList();
    }
}
