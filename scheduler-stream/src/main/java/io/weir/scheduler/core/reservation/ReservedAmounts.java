package io.weir.scheduler.core.reservation;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What reservations that are no job's keep on a node from those they do not let in, and what lies outside of them. What
 * running jobs of a reservation's users hold there counts against the reservation, not twice.
 */
public final class ReservedAmounts {
    private static final Capacity NOTHING = new Capacity(0, 0, 0, 0);

    private final AdministrativeReservationTable reservations;
    private final NodeTable nodes;
    private final JobTable jobs;
    private final BiPredicate<Job, AdministrativeReservation> letsIn;

    /**
     * Answers for the tables of one cluster.
     *
     * @param letsIn whether a reservation lets a job in
     */
    ReservedAmounts(
            AdministrativeReservationTable reservations,
            NodeTable nodes,
            JobTable jobs,
            BiPredicate<Job, AdministrativeReservation> letsIn) {
        this.reservations = reservations;
        this.nodes = nodes;
        this.jobs = jobs;
        this.letsIn = letsIn;
    }

    /**
     * Returns what is kept on the node at {@code position} from {@code now} on, beyond what running jobs hold until the end
     * of their limits. Blocks may overlap; then the amounts add up.
     *
     * @param closed the reservations there that do not let in
     * @param inside those that one has to stay inside; null when one need not stay inside any
     */
    public List<NodeBlock> blocks(
            int position,
            long now,
            List<AdministrativeReservation> closed,
            @Nullable List<AdministrativeReservation> inside) {
        List<NodeBlock> blocks = new ArrayList<>();
        for (AdministrativeReservation reservation : closed) {
            ReservedNode reserved = on(reservation, position);
            if (reserved != null && reservation.end() > now) {
                kept(reservation, reserved.amount(), position, now, blocks);
            }
        }
        if (inside != null) {
            outside(
                    inside.stream()
                            .filter(r -> r.end() > now && on(r, position) != null)
                            .toList(),
                    position,
                    now,
                    blocks);
        }
        return blocks;
    }

    private @Nullable ReservedNode on(AdministrativeReservation reservation, int position) {
        return reservations.on(nodes.at(position).id(), reservation);
    }

    /** What {@code reservation} keeps: its amount less what jobs that it lets in hold, step by step as these end. */
    private void kept(
            AdministrativeReservation reservation, Capacity amount, int position, long now, List<NodeBlock> blocks) {
        List<NodeShare> shares = new ArrayList<>();
        List<Job> holders = new ArrayList<>();
        for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
            Job job = jobs.get(held.getKey());
            if (job != null && letsIn.test(job, reservation)) {
                holders.add(job);
                shares.add(held.getValue());
            }
        }
        long from = Math.max(reservation.start(), now);
        for (long next : ends(holders, from, reservation.end(), now)) {
            Capacity used = NOTHING;
            for (int i = 0; i < holders.size(); i++) {
                if (holds(holders.get(i), now, from)) {
                    used = plus(used, shares.get(i).held(), 1);
                }
            }
            add(from, next, plus(amount, used, -1), blocks);
            from = next;
        }
    }

    /** What lies outside of the reservations a job has to stay in. */
    private void outside(List<AdministrativeReservation> inside, int position, long now, List<NodeBlock> blocks) {
        Capacity whole = nodes.at(position).configured();
        Map<String, NodeShare> shares = nodes.sharesAt(position);
        List<Job> holders = new ArrayList<>();
        for (String id : shares.keySet()) {
            Job job = jobs.get(id);
            if (job != null) {
                holders.add(job);
            }
        }
        SortedSet<Long> instants = new TreeSet<>(ends(holders, now, TimeArgument.FOREVER, now));
        for (AdministrativeReservation reservation : inside) {
            if (reservation.start() > now) {
                instants.add(reservation.start());
            }
            instants.add(reservation.end());
        }
        long from = now;
        for (long next : instants) {
            Capacity left = whole;
            boolean within = false;
            for (AdministrativeReservation reservation : inside) {
                ReservedNode reserved = on(reservation, position);
                if (reserved != null && reservation.start() <= from && from < reservation.end()) {
                    within = true;
                    left = plus(left, reserved.amount(), -1);
                }
            }
            if (within) {
                for (Job job : holders) {
                    NodeShare held = shares.get(job.id());
                    boolean ofOurs = inside.stream().anyMatch(r -> letsIn.test(job, r));
                    if (held != null && !ofOurs && holds(job, now, from)) {
                        left = plus(left, held.held(), -1);
                    }
                }
            }
            add(from, next, left, blocks);
            from = next;
        }
    }

    /** Returns the instants in (from, to) at which running jobs end, and {@code to}. */
    private static SortedSet<Long> ends(List<Job> holders, long from, long to, long now) {
        SortedSet<Long> instants = new TreeSet<>();
        for (Job job : holders) {
            long end = end(job, now);
            if (from < end && end < to) {
                instants.add(end);
            }
        }
        instants.add(to);
        return instants;
    }

    private static boolean holds(Job job, long now, long instant) {
        return instant < end(job, now);
    }

    private static long end(Job job, long now) {
        return Math.max(job.plannedEnd(), now + 1);
    }

    private static Capacity plus(Capacity a, Capacity b, int sign) {
        return new Capacity(
                a.procs() + sign * b.procs(),
                a.memoryMb() + sign * b.memoryMb(),
                a.swapMb() + sign * b.swapMb(),
                a.diskMb() + sign * b.diskMb());
    }

    private static void add(long from, long to, Capacity amount, List<NodeBlock> blocks) {
        Capacity positive = new Capacity(
                Math.max(0, amount.procs()),
                Math.max(0, amount.memoryMb()),
                Math.max(0, amount.swapMb()),
                Math.max(0, amount.diskMb()));
        if (from < to && !positive.equals(NOTHING)) {
            blocks.add(new NodeBlock(from, to, positive));
        }
    }
}
