package io.weir.scheduler.core;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.FreeTime;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.scheduler.core.reservation.SiteReservation;
import io.weir.scheduler.core.reservation.SiteReservationTable;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import java.util.Map;

/** Works out free time from what running jobs hold of a node until their limits and what is reserved on it. */
final class ReservedTime implements FreeTime {
    private final NodeTable nodes;
    private final JobTable jobs;
    private final ReservationTable reservations;
    private final SiteReservationTable siteReservations;

    ReservedTime(NodeTable nodes, JobTable jobs, ReservationTable reservations, SiteReservationTable siteReservations) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.siteReservations = siteReservations;
    }

    @Override
    public double seconds(int position, long now, long horizon) {
        int procs = nodes.at(position).configured().procs();
        if (procs == 0) {
            return 0;
        }
        double taken = 0;
        for (Map.Entry<String, NodeShare> share : nodes.sharesAt(position).entrySet()) {
            Job job = jobs.get(share.getKey());
            if (job != null) {
                taken += (double) share.getValue().procs() * within(now, job.limitEnd(), now, horizon);
            }
        }
        String id = nodes.at(position).id();
        for (Reservation reservation : reservations.all()) {
            for (TaskPlacement placement : reservation.placements()) {
                if (placement.getNodeId().equals(id)) {
                    taken += (double) procs(reservation, placement)
                            * within(reservation.start(), reservation.end(), now, horizon);
                }
            }
        }
        for (SiteReservation reservation : siteReservations.on(id)) {
            ReservedNode reserved = reservation.on(id);
            if (reserved != null) {
                taken += (double) reserved.amount().procs()
                        * within(reservation.start(), reservation.end(), now, horizon);
            }
        }
        return Math.max(0, horizon - taken / procs);
    }

    private int procs(Reservation reservation, TaskPlacement placement) {
        Job job = jobs.get(reservation.jobId());
        List<Requirement> requirements = job == null ? List.of() : job.request().requirements();
        int each = placement.getRequirement() < requirements.size()
                ? requirements.get(placement.getRequirement()).resources().procs()
                : 1;
        return placement.getTasks() * each;
    }

    private static long within(long start, long end, long now, long horizon) {
        return Math.max(0, Math.min(end, now + horizon) - Math.max(start, now));
    }
}
