package io.weir.scheduler.core.explain;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.placement.selection.NodePlacer;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.reservation.AdministrativeReservation;
import io.weir.scheduler.core.reservation.AdministrativeReservationTable;
import io.weir.scheduler.core.reservation.NodeBlock;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ReservationTable;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each single node says to a job at one instant: the first reason for which it cannot take a task, in the order in
 * which constraints are applied, or how many tasks it could take. Serves one iteration, after the planning pass.
 */
public final class NodeVerdicts {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final PlannedShares reserved;
    private final long visits;
    private final AdministrativeReservationTable administrativeReservations;
    private final ReservationAccess access;
    private final NodePlacer placement;
    private final UsableNodes inSets;
    private final long now;

    /** Prepares to judge the situation {@code context}. */
    public NodeVerdicts(ExplanationContext context) {
        jobs = context.jobs();
        nodes = context.nodes();
        reserved = new PlannedShares(nodes);
        visits = take(context.reservations());
        administrativeReservations = context.administrativeReservations();
        access = context.access();
        placement = context.placement();
        inSets = new UsableNodes(context);
        now = context.now();
    }

    /** Takes in what the reservations of jobs keep of nodes they name; returns how many reservations and shares these are. */
    private long take(ReservationTable reservations) {
        long seen = 0;
        for (Reservation reservation : reservations.all()) {
            seen += 1 + reservation.placements().size();
            Job holder = jobs.get(reservation.jobId());
            if (holder != null) {
                reserved.take(holder, present(reservation, holder), reservation.start(), reservation.end());
            }
        }
        return seen;
    }

    /** Returns what {@code reservation} sets aside on nodes that are still there, for requirements the job still has. */
    private List<TaskShare> present(Reservation reservation, Job holder) {
        int requirements = holder.request().requirements().size();
        List<TaskShare> shares = new ArrayList<>();
        for (TaskPlacement placed : reservation.placements()) {
            int position = nodes.position(placed.getNodeId());
            if (position >= 0 && placed.getRequirement() < requirements) {
                shares.add(new TaskShare(position, placed.getRequirement(), placed.getTasks()));
            }
        }
        return shares;
    }

    /** Returns how many reservations and shares of nodes were looked at to prepare. */
    public long visits() {
        return visits;
    }

    /**
     * What a node says.
     *
     * @param nodeId the node
     * @param requirement number of the requirement asked about
     * @param reason why it takes no task; null when it could
     * @param tasks tasks it could take now, reservations apart
     * @param holders reservations that keep it, sorted
     */
    public record Verdict(
            String nodeId, int requirement, @Nullable RejectionReason reason, int tasks, List<String> holders) {
        /** Returns the verdict in a few words. */
        public String text() {
            if (reason == null) {
                return tasks == 1 ? "could take 1 task" : "could take " + tasks + " tasks";
            }
            return holders.isEmpty() ? reason.label() : reason.label() + " (" + String.join(", ", holders) + ")";
        }
    }

    /** What is left out of a question. */
    public record Leniency(boolean policies, boolean present) {
        /** Nothing. */
        public static final Leniency NONE = new Leniency(false, false);
    }

    /**
     * Returns what the nodes {@code among} say to requirement {@code number} of {@code job}, in index order.
     *
     * @param leniency whether limits and access policies of nodes, and whether all that is so at present only, are left out
     */
    public List<Verdict> of(Job job, int number, BitSet among, Leniency leniency) {
        Requirement requirement = job.request().requirements().get(number);
        BitSet usable = leniency.present() ? null : inSets.of(job, number);
        List<Verdict> verdicts = new ArrayList<>();
        for (int position = among.nextSetBit(0); position >= 0; position = among.nextSetBit(position + 1)) {
            verdicts.add(verdict(job, number, requirement, position, usable, leniency));
        }
        return verdicts;
    }

    private Verdict verdict(
            Job job, int number, Requirement requirement, int position, @Nullable BitSet usable, Leniency leniency) {
        String id = nodes.at(position).id();
        RejectionReason never = placement.feasibility().reason(job, requirement, position);
        if (never != null) {
            return new Verdict(id, number, never, 0, List.of());
        }
        if (leniency.present()) {
            int most = nodes.at(position).configured().procs()
                    / Math.max(1, requirement.resources().procs());
            return new Verdict(id, number, null, most, List.of());
        }
        int room = placement.present(position, job, requirement);
        if (room == 0 && leniency.policies() && placement.availability().reason() == RejectionReason.POLICY) {
            room = 1;
        }
        if (room == 0) {
            return new Verdict(id, number, placement.availability().reason(), 0, List.of());
        }
        List<PlannedShare> beside = reserved.beside(job, position, now, now + job.plannedSeconds());
        boolean together = leniency.policies() || sharesWith(job, requirement, position, beside);
        if (!together || !leaves(job, requirement.resources(), position, beside)) {
            return new Verdict(id, number, RejectionReason.RESERVED, room, holders(job, position, beside));
        }
        if (usable != null && !usable.get(position)) {
            return new Verdict(id, number, RejectionReason.SET, room, List.of());
        }
        return new Verdict(id, number, null, room, List.of());
    }

    /** Returns whether the policies of the node at {@code position} let the job in beside those with reservations there. */
    private boolean sharesWith(Job job, Requirement requirement, int position, List<PlannedShare> beside) {
        return beside.isEmpty() || placement.admitted(position, job, requirement, now, beside) > 0;
    }

    /** Returns whether reservations leave room for a task at {@code position} until the job would end. */
    private boolean leaves(Job job, TaskResources task, int position, List<PlannedShare> beside) {
        long end = now + job.plannedSeconds();
        List<NodeBlock> blocks = access.blocks(job, position, now);
        TreeSet<Long> instants = new TreeSet<>();
        instants.add(now);
        blocks.forEach(block -> instants.add(block.from()));
        beside.forEach(other -> instants.add(other.from()));
        for (long instant : instants.subSet(now, true, Math.max(now + 1, end), false)) {
            long procs = free(position, ResourceKind.PROC, instant);
            long memory = free(position, ResourceKind.MEM, instant);
            for (NodeBlock block : blocks) {
                if (block.from() <= instant && instant < block.to()) {
                    procs -= block.amount().procs();
                    memory -= block.amount().memoryMb();
                }
            }
            for (PlannedShare other : beside) {
                if (other.at(instant)) {
                    procs -= other.held().procs();
                    memory -= other.held().memoryMb();
                }
            }
            if (procs < task.procsOf(1) || (task.memoryOf(1) > 0 && memory < task.memoryOf(1))) {
                return false;
            }
        }
        return true;
    }

    /** Returns what is free at {@code instant}: at present what can be given, later what running jobs leave by then. */
    private long free(int position, ResourceKind resource, long instant) {
        if (instant == now) {
            return placement.ready(position, resource);
        }
        Capacity whole = nodes.at(position).configured();
        boolean procs = resource == ResourceKind.PROC;
        long free = procs ? whole.procs() : whole.memoryMb();
        for (Map.Entry<String, NodeShare> share : nodes.sharesAt(position).entrySet()) {
            Job holder = jobs.get(share.getKey());
            if (holder != null && holder.plannedEnd() > instant) {
                Capacity held = share.getValue().held();
                free -= procs ? held.procs() : held.memoryMb();
            }
        }
        return free;
    }

    private List<String> holders(Job job, int position, List<PlannedShare> beside) {
        long end = now + job.plannedSeconds();
        TreeSet<String> ids = new TreeSet<>();
        for (AdministrativeReservation reservation :
                administrativeReservations.on(nodes.at(position).id())) {
            if (reservation.overlaps(now, end) && !access.mayUse(job, reservation)) {
                ids.add(reservation.id());
            }
        }
        beside.forEach(other -> ids.add(other.job().id()));
        return List.copyOf(ids);
    }
}
