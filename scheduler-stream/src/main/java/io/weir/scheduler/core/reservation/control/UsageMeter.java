package io.weir.scheduler.core.reservation.control;

import static io.weir.scheduler.core.reservation.AdministrativeReservation.WEIGHTS;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationFlag;
import io.weir.scheduler.core.reservation.ReservedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Counts the processor seconds a reservation set aside and those that running jobs of its users took of them, both in
 * whole numbers, and weighs the others at the charge rates that are in force. On each node jobs take at most what is set
 * aside there.
 */
public final class UsageMeter {
    /** How long a reservation is not counted anew while nothing changes, in seconds. */
    static final long COUNTED_EVERY_SECONDS = 60;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final ReservationAccess access;

    /** Counts over the tables of one cluster. */
    public UsageMeter(NodeTable nodes, JobTable jobs, ReservationAccess access) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.access = access;
    }

    /** Returns {@code reservation} with everything counted up to {@code instant}, or up to its end. */
    public AdministrativeReservation upTo(AdministrativeReservation reservation, long instant) {
        long from = Math.max(reservation.start(), reservation.accountedTo());
        long to = Math.min(reservation.end(), instant);
        if (to <= from) {
            return reservation;
        }
        long used = 0;
        long unused = 0;
        for (ReservedNode node : reservation.nodes()) {
            int position = nodes.position(node.nodeId());
            long usedHere = position >= 0 ? used(reservation, node, position, from, to) : 0;
            used += usedHere;
            unused = WEIGHTS.sum(unused, weighted((to - from) * node.amount().procs() - usedHere, position));
        }
        return reservation.accounted((to - from) * reservation.procs(), used, unused, to);
    }

    /**
     * Returns {@code reservation} as it has to count once {@code job}, which it lets in, has left at {@code end}: up to then,
     * or corrected when more was counted already.
     */
    private AdministrativeReservation left(AdministrativeReservation reservation, Job job, long end) {
        if (!access.mayUse(job, reservation)) {
            return reservation;
        }
        if (end >= reservation.accountedTo()) {
            return upTo(reservation, end);
        }
        long from = Math.max(end, Math.max(reservation.start(), job.start()));
        long to = reservation.accountedTo();
        long surplus = 0;
        long unused = 0;
        Map<String, ReservedNode> reserved = reservation.byNode();
        for (NodeShare share : job.shares()) {
            ReservedNode node = reserved.get(share.nodeId());
            if (node != null && from < to) {
                long seconds = Math.min(
                        (to - from) * Math.min(share.procs(), node.amount().procs()),
                        reservation.usedProcSeconds() - surplus);
                surplus += seconds;
                unused = WEIGHTS.sum(unused, weighted(seconds, nodes.position(share.nodeId())));
            }
        }
        return reservation.accounted(0, -surplus, unused, to);
    }

    /** Returns processor seconds times the charge rate of the node at {@code position} in thousandths; that of one which is gone is 1. */
    private long weighted(long seconds, int position) {
        return WEIGHTS.product(
                seconds,
                position < 0 ? 1_000 : StrictMath.round(nodes.at(position).chargeRate() * 1_000));
    }

    /**
     * Returns those of {@code reservations} that count otherwise once {@code job}, which holds nodes of all of them, has left
     * at {@code end}, as they count then.
     *
     * @param over whether the job has ended
     */
    public List<AdministrativeReservation> left(
            List<AdministrativeReservation> reservations, Job job, long end, boolean over) {
        List<AdministrativeReservation> changed = new ArrayList<>();
        for (AdministrativeReservation reservation : reservations) {
            AdministrativeReservation counted = left(reservation, job, end);
            if (over && isUse(reservation, job)) {
                counted = counted.used();
            }
            if (!counted.equals(reservation)) {
                changed.add(counted);
            }
        }
        return changed;
    }

    /** Returns whether {@code job}, which holds nodes of it, is what a reservation for a single use was made for. */
    private boolean isUse(AdministrativeReservation reservation, Job job) {
        return reservation.terms().has(ReservationFlag.SINGLEUSE)
                && job.start() >= Math.max(reservation.start(), reservation.createdAt())
                && job.start() < reservation.end()
                && access.mayUse(job, reservation);
    }

    private long used(AdministrativeReservation reservation, ReservedNode node, int position, long from, long to) {
        List<Job> users = new ArrayList<>();
        List<Integer> procs = new ArrayList<>();
        SortedSet<Long> starts = new TreeSet<>();
        starts.add(from);
        for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
            Job job = jobs.get(held.getKey());
            if (job != null && job.active() && access.mayUse(job, reservation)) {
                users.add(job);
                procs.add(held.getValue().procs());
                if (from < job.start() && job.start() < to) {
                    starts.add(job.start());
                }
            }
        }
        long sum = 0;
        List<Long> steps = new ArrayList<>(starts);
        for (int i = 0; i < steps.size(); i++) {
            long step = steps.get(i);
            long next = i + 1 < steps.size() ? steps.get(i + 1) : to;
            long busy = 0;
            for (int j = 0; j < users.size(); j++) {
                busy += users.get(j).start() <= step ? procs.get(j) : 0;
            }
            sum += (next - step) * Math.min(busy, node.amount().procs());
        }
        return sum;
    }
}
