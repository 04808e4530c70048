package io.weir.scheduler.core.state;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.FreeTime;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.ReservedNode;
import io.weir.schemas.TaskPlacement;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Works out free time from what running jobs hold of a node until their limits and what is reserved on it. */
final class ReservedTime implements FreeTime {
    private final NodeTable nodes;
    private final JobTable jobs;
    private final ReservationTable reservations;
    private final AdministrativeReservationTable administrativeReservations;
    private final ReservationAccess access;

    ReservedTime(
            NodeTable nodes,
            JobTable jobs,
            ReservationTable reservations,
            AdministrativeReservationTable administrativeReservations,
            ReservationAccess access) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.reservations = reservations;
        this.administrativeReservations = administrativeReservations;
        this.access = access;
    }

    @Override
    public double seconds(int position, long now, long horizon) {
        int procs = nodes.at(position).configured().procs();
        if (procs == 0) {
            return 0;
        }
        Cover cover = new Cover(now, now + horizon);
        String id = nodes.at(position).id();
        for (Map.Entry<String, NodeShare> share : nodes.sharesAt(position).entrySet()) {
            Job job = jobs.get(share.getKey());
            if (job != null) {
                boolean inside = administrativeReservations.on(id).stream()
                        .anyMatch(reservation ->
                                reservation.overlaps(now, job.limitEnd()) && access.mayUse(job, reservation));
                cover.add(now, job.limitEnd(), share.getValue().procs(), inside ? Cover.INSIDE : Cover.OTHER);
            }
        }
        for (Reservation reservation : reservations.all()) {
            for (TaskPlacement placement : reservation.placements()) {
                if (placement.getNodeId().equals(id)) {
                    cover.add(reservation.start(), reservation.end(), procs(reservation, placement), Cover.OTHER);
                }
            }
        }
        for (AdministrativeReservation reservation : administrativeReservations.on(id)) {
            ReservedNode reserved = administrativeReservations.on(id, reservation);
            if (reserved != null) {
                cover.add(
                        reservation.start(),
                        reservation.end(),
                        reserved.amount().procs(),
                        Cover.RESERVED);
            }
        }
        return horizon - (double) cover.procSeconds(procs) / procs;
    }

    private int procs(Reservation reservation, TaskPlacement placement) {
        Job job = jobs.get(reservation.jobId());
        List<Requirement> requirements = job == null ? List.of() : job.request().requirements();
        return placement.getRequirement() < requirements.size()
                ? requirements.get(placement.getRequirement()).resources().procsOf(placement.getTasks())
                : placement.getTasks();
    }

    /** Processors covered over time. What jobs hold inside of a reservation that lets them in is covered once. */
    private static final class Cover {
        static final int OTHER = 0;
        static final int INSIDE = 1;
        static final int RESERVED = 2;

        private final long from;
        private final long to;

        /** By instant, what is covered more from then on, by kind. */
        private final SortedMap<Long, long[]> steps = new TreeMap<>();

        Cover(long from, long to) {
            this.from = from;
            this.to = to;
        }

        void add(long start, long end, long procs, int kind) {
            long first = Math.max(start, from);
            long last = Math.min(end, to);
            if (first < last) {
                steps.computeIfAbsent(first, instant -> new long[3])[kind] += procs;
                steps.computeIfAbsent(last, instant -> new long[3])[kind] -= procs;
            }
        }

        long procSeconds(long procs) {
            long sum = 0;
            long since = from;
            long[] covered = new long[3];
            for (Map.Entry<Long, long[]> step : steps.entrySet()) {
                long each = Math.min(procs, covered[OTHER] + Math.max(covered[INSIDE], covered[RESERVED]));
                sum += each * (step.getKey() - since);
                since = step.getKey();
                for (int kind = 0; kind < covered.length; kind++) {
                    covered[kind] += step.getValue()[kind];
                }
            }
            return sum;
        }
    }
}
