package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.scheduler.core.reservation.ReservedNode;
import java.util.List;
import java.util.TreeSet;

/** Names the jobs and reservations that hold at one instant what a job needs, a few of them. */
final class Blockers {
    /** Blockers named at most. */
    private static final int MOST_BLOCKERS = 5;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final ReservationTable reservations;
    private final AdministrativeReservationTable administrativeReservations;
    private final ReservationAccess access;
    private final long now;

    /** Jobs, reservations and shares of nodes looked at so far. */
    private long visits;

    Blockers(ExplanationContext context) {
        jobs = context.jobs();
        nodes = context.nodes();
        reservations = context.reservations();
        administrativeReservations = context.administrativeReservations();
        access = context.access();
        now = context.now();
    }

    /** Returns how many jobs, reservations and shares of nodes have been looked at. */
    long visits() {
        return visits;
    }

    /** Returns the active jobs whose end makes room at {@code start}, or the reservations that end then. */
    List<String> enders(NodeScans.Scan scan, long start) {
        TreeSet<String> ending = new TreeSet<>();
        long latest = Job.NONE;
        for (Job job : jobs.active()) {
            long end = Math.max(job.plannedEnd(), now + 1);
            visits++;
            if (end > start) {
                break;
            }
            if (holds(job, scan) > 0) {
                if (end > latest) {
                    ending.clear();
                    latest = end;
                }
                if (ending.size() < MOST_BLOCKERS) {
                    ending.add(job.id());
                }
            }
        }
        return List.copyOf(ending);
    }

    /** Returns the active job at whose end there is room, if all before it ended and nothing else started. */
    List<String> holders(NodeScans.Finding found) {
        NodeScans.Scan scan = found.scan();
        long missing = found.missing() * found.requirement().resources().procs();
        String last = null;
        for (Job job : jobs.active()) {
            visits++;
            long held = holds(job, scan);
            if (held > 0) {
                last = job.id();
                missing -= held;
                if (missing <= 0) {
                    break;
                }
            }
        }
        return last == null ? List.of() : List.of(last);
    }

    /** Returns the active jobs on the node at {@code position}, a few of them. */
    List<String> on(int position) {
        visits++;
        return nodes.sharesAt(position).keySet().stream().limit(MOST_BLOCKERS).toList();
    }

    /** Returns the processors that {@code job} holds on nodes the requirement could use. */
    private long holds(Job job, NodeScans.Scan scan) {
        if (scan.everywhere()) {
            return job.request().procs();
        }
        long procs = 0;
        for (NodeShare share : job.shares()) {
            visits++;
            int position = nodes.position(share.nodeId());
            if (position >= 0 && scan.those().get(position)) {
                procs += share.procs();
            }
        }
        return procs;
    }

    /** Returns the site's reservations that keep the job from nodes it could use, until it would end. */
    List<String> closed(Job job, NodeScans.Scan scan) {
        if (access.open(job)) {
            return List.of();
        }
        long end = now + job.plannedSeconds();
        TreeSet<String> ids = new TreeSet<>();
        for (AdministrativeReservation reservation : administrativeReservations.all()) {
            if (ids.size() < MOST_BLOCKERS
                    && reservation.overlaps(now, end)
                    && !access.mayUse(job, reservation)
                    && touches(reservation, scan)) {
                ids.add(reservation.id());
            }
        }
        return List.copyOf(ids);
    }

    private boolean touches(AdministrativeReservation reservation, NodeScans.Scan scan) {
        for (ReservedNode node : reservation.nodes()) {
            visits++;
            int position = nodes.position(node.nodeId());
            if (position >= 0 && scan.those().get(position)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the other jobs whose reservation begins before {@code job} would end, earliest first. */
    List<String> overlapping(Job job) {
        long end = now + job.plannedSeconds();
        TreeSet<String> ahead = new TreeSet<>();
        for (Reservation reservation : reservations.byStart()) {
            visits++;
            if (reservation.start() >= end || ahead.size() == MOST_BLOCKERS) {
                break;
            }
            if (!reservation.jobId().equals(job.id())) {
                ahead.add(reservation.jobId());
            }
        }
        return List.copyOf(ahead);
    }
}
