package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.QueueOutline;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetTiming;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.AvailabilityProfile;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows every resource of every node over time, so that a slot names nodes which hold the job from its first second to
 * its last. Exact for any mix of nodes and requests. Nodes that nothing tells apart are followed as one ({@link NodePools})
 * and named last.
 *
 * <p>What keeps it fast: only nodes with something free are looked at for a start now ({@link NodeRoom}), only nodes with
 * a gap that is long enough for a later one ({@link StartSearch}), and what one search taught about a shape of request
 * bounds the next ({@link LearnedStarts}). Within the plan instants are seconds after its start.
 */
final class NodePlan implements ResourcePlan {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final NodeSets sets;
    private final ShapeTable shapes;
    private final LargestRequests largest;
    private final NodePools pools;
    private final NodeRoom room;
    private final TaskChoice choice;
    private final StartSearch search;
    private final FloatingPlan floating;
    private final PartitionChoice partitions;

    /** The kinds of jobs, and how they see the nodes. */
    private final Veils veils;

    NodePlan(JobTable jobs, NodeTable nodes, ReservationAccess access, Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        sets = new NodeSets(nodes);
        shapes = new ShapeTable(nodes, placement, sets);
        largest = new LargestRequests(nodes, placement, sets, shapes);
        pools = new NodePools(jobs, nodes, placement, access, shapes);
        room = new NodeRoom(jobs, nodes, placement, shapes, pools);
        choice = new TaskChoice(nodes, room, placement, sets, access);
        search = new StartSearch(room, choice, sets);
        floating = new FloatingPlan(jobs, nodes);
        partitions = new PartitionChoice(nodes);
        veils = new Veils(access, nodes, placement);
    }

    @Override
    public void reset(long now, SitePolicy policy) {
        veils.reset(policy);
        shapes.refresh(policy);
        room.reset(now, policy);
        floating.reset(now, shapes.resources());
        partitions.configure(policy);
    }

    @Override
    public void resume(long now) {
        room.resume(now);
    }

    @Override
    public boolean exhausted() {
        return room.open().isEmpty();
    }

    @Override
    public @Nullable Slot now(Job job) {
        Slot slot = onNodesNow(job);
        return slot == null || floating.earliest(slot) > slot.start() ? null : slot;
    }

    @Override
    public void outline(Job job, QueueOutline outline, int row) {
        if (shapes.of(job).needs.length == 1) {
            outline.remember(row, job.planMark(), veils.mark(job));
        }
    }

    @Override
    public boolean outOfReach(QueueOutline outline, int row) {
        long note = outline.note(row);
        int kind = veils.number(outline.access(row));
        if (!shapes.current(note) || kind < 0) {
            return false;
        }
        PlanShape shape = shapes.noted(note);
        return shape.learned(kind)
                .after(room.releases())
                .later(shape.onlyInSet, outline.tasks(row), outline.seconds(row), room.offset());
    }

    private @Nullable Slot onNodesNow(Job job) {
        look(job);
        PlanShape shape = shapes.of(job);
        NodeSetRules rules = shape.sets;
        if (rules == null) {
            return now(job, shape, SetUse.NONE);
        }
        return SetTiming.now(
                rules,
                room.now(),
                use -> now(job, shape, use),
                (use, from, latest) -> earliest(job, shape, use, from, latest));
    }

    @Override
    public @Nullable Slot earliest(Job job, long from) {
        Slot slot = onNodes(job, from);
        while (slot != null) {
            long start = floating.earliest(slot);
            if (start == slot.start()) {
                return slot;
            }
            slot = start == AvailabilityProfile.NEVER ? null : onNodes(job, start);
        }
        return null;
    }

    private @Nullable Slot onNodes(Job job, long from) {
        look(job);
        PlanShape shape = shapes.of(job);
        return SetTiming.earliest(
                shape.sets,
                shape.needs.length > 1,
                from,
                (use, first, latest) -> earliest(job, shape, use, first, latest),
                Slot::start);
    }

    private @Nullable Slot now(Job job, PlanShape shape, SetUse use) {
        if (limit(job, shape, use) > room.offset()) {
            return null;
        }
        SortedMap<String, List<TaskShare>> places = new TreeMap<>();
        for (PlanShape.Part part : shape.parts) {
            List<TaskShare> shares = choice.now(job, shape, use, part);
            if (!shares.isEmpty()) {
                places.put(part.name(), shares);
                if (partitions.takesFirst()) {
                    break;
                }
            }
        }
        if (!places.isEmpty()) {
            return slot(job, shape, room.now(), partitions.choose(job, room.now(), places));
        }
        learn(job, shape, use, room.offset() + 1);
        return null;
    }

    /** Returns the earliest start between {@code from} and {@code latest}; null when there is none. */
    private @Nullable Slot earliest(Job job, PlanShape shape, SetUse use, long from, long latest) {
        int limit = limit(job, shape, use);
        int asked = room.instant(from);
        int first = Math.max(asked, limit);
        if (first == ResourceTimeline.NEVER) {
            return null;
        }
        long best = latest == SetTiming.NEVER ? StartSearch.NOWHERE : latest - room.base() + 1;
        List<TaskShare> chosen = List.of();
        for (PlanShape.Part part : shape.parts) {
            long start = search.search(job, shape, use, part, first, best);
            if (start < best) {
                best = start;
                chosen = search.found();
            }
        }
        if (asked <= Math.max(room.offset(), limit)) {
            learn(job, shape, use, NodeRoom.seconds(best));
        }
        if (!chosen.isEmpty() && best <= room.offset()) {
            Slot present = now(job, shape, use);
            return present != null ? present : earliest(job, shape, use, room.now() + 1, latest);
        }
        return chosen.isEmpty() ? null : slot(job, shape, room.base() + best, chosen);
    }

    @Override
    public @Nullable Slot reserved(Job job, Reservation reservation) {
        long seconds = reservation.end() - reservation.start();
        if (seconds != job.request().walltimeSeconds()
                || reservation.procs() != job.request().procs()) {
            return null;
        }
        List<TaskShare> shares = new ArrayList<>(reservation.placements().size());
        for (TaskPlacement placement : reservation.placements()) {
            int position = nodes.position(placement.getNodeId());
            if (position < 0 || !nodes.at(position).node().plannable()) {
                return null;
            }
            shares.add(new TaskShare(position, placement.getRequirement(), placement.getTasks()));
        }
        if (shares.isEmpty() || !left(job, reservation.start(), shares)) {
            return null;
        }
        PlanShape shape = shapes.of(job);
        List<TaskShare> free =
                reservation.start() <= room.now() ? room.present().settle(shape, shares) : shares;
        return free.isEmpty() ? null : slot(job, shape, reservation.start(), free);
    }

    /** Returns whether reservations that are no job's leave the job its shares. */
    private boolean left(Job job, long at, List<TaskShare> shares) {
        PlanShape shape = shapes.of(job);
        int start = room.instant(at);
        int end = NodeRoom.end(start, NodeRoom.seconds(job.request().walltimeSeconds()));
        look(job);
        for (TaskShare share : shares) {
            int position = share.position();
            if (room.veiled(position, start, end)
                    && room.line(position).tasks(shape.needs[share.requirement()], start, end) < share.tasks()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean restless(Job job, boolean slot) {
        NodeSetRules rules = shapes.of(job).sets;
        return slot
                ? !placement.steady(job) || (rules != null && !sets.steady(rules))
                : rules != null && rules.optional() && rules.delaySeconds() > 0;
    }

    @Override
    public boolean stale(long now) {
        return pools.stale() || room.outgrown(now);
    }

    @Override
    public boolean namesLate() {
        return pools.any();
    }

    @Override
    public SortedMap<String, Slot> named(SortedMap<String, Slot> slots, Collection<Slot> fixed) {
        return new NodeNames(pools, nodes, jobs, room.now(), fixed).name(slots);
    }

    @Override
    public void take(Slot slot) {
        room.take(slot);
        floating.take(slot);
    }

    @Override
    public void giveBack(Slot slot) {
        room.giveBack(slot);
        floating.giveBack(slot);
    }

    @Override
    public boolean overcommitted() {
        return room.overcommitted() || floating.overcommitted();
    }

    @Override
    public List<Window> windows() {
        return new IdleWindows(room).find();
    }

    @Override
    public long milliEquivalents(Job job) {
        return shapes.milliEquivalents(job);
    }

    @Override
    public boolean possible(Job job) {
        return largest.possible(job);
    }

    @Override
    public boolean forbiddenBySets(Job job) {
        return largest.forbiddenBySets(job);
    }

    /** Returns how many looks at nodes all searches for a start took so far. */
    long looks() {
        return search.looks();
    }

    /** Returns the number of nodes. */
    int size() {
        return nodes.size();
    }

    /** Returns the number of nodes on which something may start now. */
    int openNodes() {
        return room.open().cardinality();
    }

    /** Returns what chooses a partition for jobs that could start in several. */
    PartitionChoice partitions() {
        return partitions;
    }

    /** Returns what keeps jobs inside node sets. */
    NodeSets nodeSets() {
        return sets;
    }

    /** Looks at the nodes as {@code job} sees them. */
    private void look(Job job) {
        room.look(veils.of(job, room));
    }

    /** Returns before which instant a job cannot start as far as is known. */
    private int limit(Job job, PlanShape shape, SetUse use) {
        if (shape.needs.length > 1) {
            return 0;
        }
        return shape.learned(veils.number(job))
                .after(room.releases())
                .earliest(use == SetUse.ONE_SET, job.firstTasks(), NodeRoom.seconds(job.limitSeconds()));
    }

    /** Remembers the start found, or that there is none before; not of spans, where fewer tasks may be harder to place. */
    private void learn(Job job, PlanShape shape, SetUse use, int start) {
        if (shape.needs.length == 1 && use != SetUse.EVEN_SPAN) {
            shape.learned(veils.number(job))
                    .after(room.releases())
                    .learn(use == SetUse.ONE_SET, job.firstTasks(), NodeRoom.seconds(job.limitSeconds()), start);
        }
    }

    private static Slot slot(Job job, PlanShape shape, long start, List<TaskShare> shares) {
        JobRequest request = job.request();
        return new Slot(start, request.walltimeSeconds(), request.procs(), shares, shape);
    }
}
