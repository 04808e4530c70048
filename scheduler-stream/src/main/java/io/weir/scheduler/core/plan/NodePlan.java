package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.QueueColumns;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetTiming;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.PlannedShares;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows every resource of every node over time, so that a slot names nodes which hold the job from its first second to
 * its last. Exact for any mix of nodes and requests. Nodes that no job can tell apart are followed as one
 * ({@link NodeBuckets}) and named last.
 *
 * <p>What keeps it fast: only nodes with something free are looked at for a start now ({@link NodeAvailabilityPlan}), only nodes with
 * a gap that is long enough for a later one ({@link StartSearch}), and what one search taught about a plan key
 * bounds the next ({@link StartTimeCache}). Within the plan instants are seconds after its start.
 */
final class NodePlan implements ResourcePlan {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final NodeSets sets;
    private final PlanKeyTable planKeys;
    private final LargestRequests largest;
    private final NodeBuckets buckets;
    private final NodeAvailabilityPlan availability;
    private final NodeSelector selector;
    private final SpreadEffort effort = new SpreadEffort(SpreadEffort.MOST);

    /** Earliest start in a node set for which a job waits that fits now outside of it, epoch seconds. */
    private long nextInSet = AvailabilityProfile.NEVER;

    private final StartSearch search;
    private final GlobalResourcePlan floating;

    /** Whose slots are on which node; empty unless it matters to whom jobs belong. */
    private final PlannedShares planned;

    private final PartitionChoice partitions;

    /** Scheduling keys of jobs, and how jobs with each key see the nodes. */
    private final ReservationAccess access;

    private final AccessViews accessViews;

    /** Counts what may change where jobs fit now. */
    private long version;

    NodePlan(JobTable jobs, NodeTable nodes, ReservationAccess access, Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        sets = new NodeSets(nodes);
        planKeys = new PlanKeyTable(nodes, placement, sets);
        largest = new LargestRequests(nodes, placement, sets, planKeys);
        buckets = new NodeBuckets(jobs, nodes, placement, access, planKeys);
        availability = new NodeAvailabilityPlan(jobs, nodes, placement, planKeys, buckets);
        planned = new PlannedShares(nodes);
        selector = new NodeSelector(jobs, nodes, availability, placement, sets, access, planned);
        search = new StartSearch(availability, selector, nodes, sets, placement, effort);
        floating = new GlobalResourcePlan(jobs, nodes);
        partitions = new PartitionChoice(nodes);
        this.access = access;
        accessViews = new AccessViews(access, nodes, placement);
    }

    @Override
    public void reset(long now, long begun, SitePolicy policy) {
        version++;
        nextInSet = AvailabilityProfile.NEVER;
        accessViews.reset(policy);
        planKeys.refresh(policy);
        planned.clear();
        availability.reset(now, begun, policy);
        floating.reset(now, planKeys.resources());
        effort.begin(jobs.active(), jobs.furtherRequirements() > 0);
        partitions.configure(policy);
    }

    @Override
    public void resume(long now) {
        version++;
        availability.resume(now);
    }

    @Override
    public boolean exhausted() {
        return availability.open().isEmpty();
    }

    @Override
    public @Nullable Slot now(Job job) {
        Slot slot = onNodesNow(job);
        return slot == null || floating.earliest(slot) > slot.start() ? null : slot;
    }

    @Override
    public boolean fitsNow(Job job) {
        PlanKey planKey = planKeys.of(job);
        if (planKey.needs.length > 1 || planKey.sets != null || !floating.isEmpty()) {
            return now(job) != null;
        }
        KnownFits known = planKey.learned(accessViews.number(job)).fits(version);
        int seconds = NodeAvailabilityPlan.seconds(job.plannedSeconds());
        boolean fits = known.fits(job.firstTasks(), seconds);
        if (!fits && now(job) != null) {
            known.learn(job.firstTasks(), seconds);
            fits = true;
        }
        return fits;
    }

    @Override
    public void fillColumns(Job job, QueueColumns columns, int row) {
        if (planKeys.of(job).needs.length == 1) {
            columns.remember(row, job.planMark(), accessViews.mark(job));
        }
    }

    @Override
    public boolean outOfReach(QueueColumns columns, int row) {
        long note = columns.note(row);
        int kind = accessViews.number(columns.access(row));
        if (!planKeys.current(note) || kind < 0) {
            return false;
        }
        PlanKey planKey = planKeys.noted(note);
        return planKey.learned(kind)
                .after(availability.releases())
                .later(planKey.onlyInSet, columns.tasks(row), columns.seconds(row), availability.offset());
    }

    private @Nullable Slot onNodesNow(Job job) {
        look(job);
        PlanKey planKey = planKeys.of(job);
        NodeSetRules rules = planKey.sets;
        if (rules == null) {
            return now(job, planKey, SetUse.NONE);
        }
        return SetTiming.now(rules, availability.now(), use -> now(job, planKey, use), (use, from, latest) -> {
            Slot inSet = earliest(job, planKey, use, from, latest);
            if (inSet != null) {
                nextInSet = Math.min(nextInSet, inSet.start());
            }
            return inSet;
        });
    }

    @Override
    public long nextInSet() {
        return nextInSet;
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
        PlanKey planKey = planKeys.of(job);
        return SetTiming.earliest(
                planKey.sets,
                planKey.needs.length > 1,
                from,
                (use, first, latest) -> earliest(job, planKey, use, first, latest),
                Slot::start);
    }

    private @Nullable Slot now(Job job, PlanKey planKey, SetUse use) {
        if (limit(job, planKey, use) > availability.offset()) {
            return null;
        }
        SortedMap<String, List<TaskShare>> places = new TreeMap<>();
        for (PlanKey.Part part : planKey.parts) {
            List<TaskShare> shares = selector.now(job, planKey, use, part);
            if (!shares.isEmpty()) {
                places.put(part.name(), shares);
                if (partitions.takesFirst()) {
                    break;
                }
            }
        }
        if (!places.isEmpty()) {
            return slot(job, planKey, availability.now(), partitions.choose(job, availability.now(), places));
        }
        learn(job, planKey, use, availability.offset() + 1);
        if (planKey.needs.length > 1) {
            effort.count(job, (long) planKey.needs.length * availability.open().cardinality());
        }
        return null;
    }

    /** Returns the earliest start between {@code from} and {@code latest}; null when there is none. */
    private @Nullable Slot earliest(Job job, PlanKey planKey, SetUse use, long from, long latest) {
        int limit = limit(job, planKey, use);
        int asked = availability.instant(from);
        int first = Math.max(asked, limit);
        if (first == ResourceTimeline.NEVER) {
            return null;
        }
        long best = latest == SetTiming.NEVER ? StartSearch.NOWHERE : latest - availability.base() + 1;
        List<TaskShare> chosen = List.of();
        for (PlanKey.Part part : planKey.parts) {
            long start = search.search(job, planKey, use, part, first, best);
            if (start < best) {
                best = start;
                chosen = search.found();
            }
        }
        if (asked <= Math.max(availability.offset(), limit)) {
            learn(job, planKey, use, (int) Math.min(ResourceTimeline.NEVER, best));
        }
        if (chosen.isEmpty()) {
            return null;
        }
        if (best <= availability.offset()) {
            Slot present = now(job, planKey, use);
            return present != null
                    ? present
                    : afterNow(job, planKey, use, latest, earliest(job, planKey, use, availability.now() + 1, latest));
        }
        Slot slot = slot(job, planKey, availability.base() + best, chosen);
        return asked <= availability.offset() ? afterNow(job, planKey, use, latest, slot) : slot;
    }

    /**
     * Returns the earliest start after now of a job that does not start now. {@code found} is that by the plan alone; when it is
     * a moment ahead, on nodes that lack by measurement what they have in the plan, they are taken to lack it for a while.
     */
    private @Nullable Slot afterNow(Job job, PlanKey planKey, SetUse use, long latest, @Nullable Slot found) {
        if (found == null
                || found.start() > availability.now() + 1
                || (!availability.givesLess(found.shares()) && placement.startsOn(job, found.shares()))) {
            return found;
        }
        version++;
        long back = availability.withhold();
        Slot next = earliest(job, planKey, use, availability.now() + 1, latest);
        return next == null || next.start() >= back || placement.startsOn(job, next.shares())
                ? next
                : earliest(job, planKey, use, back, latest);
    }

    @Override
    public long nextReturn() {
        return availability.nextReturn();
    }

    @Override
    public long withholdsMoreFrom() {
        return availability.withholdsMoreFrom();
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
            if (position < 0 || !nodes.at(position).plannable()) {
                return null;
            }
            shares.add(new TaskShare(position, placement.getRequirement(), placement.getTasks()));
        }
        PlanKey planKey = planKeys.of(job);
        if (!isAsked(job, planKey, shares) || !left(job, reservation.start(), shares)) {
            return null;
        }
        List<TaskShare> free = reservation.start() <= availability.now()
                ? availability.present().settle(planKey, shares)
                : shares;
        return free.isEmpty() ? null : slot(job, planKey, reservation.start(), free);
    }

    /** Returns whether {@code shares} are what the job asks for by now: its request may have changed since they were chosen. */
    private static boolean isAsked(Job job, PlanKey planKey, List<TaskShare> shares) {
        int[] tasks = new int[planKey.needs.length];
        HeldShares before = new HeldShares();
        for (TaskShare share : shares) {
            int requirement = share.requirement();
            boolean divided = planKey.dividesNodes()
                    && before.at(share.position()).stream()
                            .anyMatch(other -> !planKey.mayShareNode(requirement, other.requirement()));
            if (divided || requirement >= tasks.length) {
                return false;
            }
            tasks[requirement] += share.tasks();
            before.add(share);
        }
        List<Requirement> requirements = job.request().requirements();
        for (int i = 0; i < tasks.length; i++) {
            if (tasks[i] != requirements.get(i).tasks()) {
                return false;
            }
        }
        return planKey.parts.stream()
                .anyMatch(part -> shares.stream()
                        .allMatch(share ->
                                part.groups().get(share.requirement()).nodes().get(share.position())));
    }

    /** Returns whether reservations that are no job's leave the job its shares. */
    private boolean left(Job job, long at, List<TaskShare> shares) {
        PlanKey planKey = planKeys.of(job);
        int start = availability.instant(at);
        int end = NodeAvailabilityPlan.end(start, NodeAvailabilityPlan.seconds(job.plannedSeconds()));
        look(job);
        for (TaskShare share : shares) {
            int position = share.position();
            if (availability.veiled(position, start, end)
                    && availability.line(position).tasks(planKey.needs[share.requirement()], start, end)
                            < share.tasks()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean admits(Job job, Slot slot) {
        return placement.admits(job, slot.shares());
    }

    @Override
    public boolean restless(Job job, boolean slot) {
        NodeSetRules rules = planKeys.of(job).sets;
        return slot
                ? !placement.steady(job) || needsMore(job) || (rules != null && !sets.steady(rules))
                : rules != null && rules.optional() && rules.delaySeconds() > 0;
    }

    /** Returns whether a node has to have room for more tasks of {@code job} than it may get: others may take what is left of it. */
    private static boolean needsMore(Job job) {
        return job.request().requirements().stream().anyMatch(NodePlan::needsMore);
    }

    private static boolean needsMore(Requirement requirement) {
        Integer perNode = requirement.tasksPerNode();
        return perNode != null
                && (requirement.tasksPerNodeAtLeast() || requirement.tasks() % Math.max(1, perNode) != 0);
    }

    @Override
    public boolean confines() {
        return accessViews.confine();
    }

    @Override
    public boolean onReserved(Slot slot) {
        return slot.shares().stream()
                .anyMatch(
                        share -> !access.open(nodes.at(share.position()).node().id()));
    }

    @Override
    public boolean stale(long now) {
        return buckets.stale() || availability.outgrown(now);
    }

    @Override
    public boolean spent(Job job) {
        return effort.spent(job);
    }

    @Override
    public boolean laborious() {
        return effort.notable();
    }

    @Override
    public boolean namesLate() {
        return buckets.any();
    }

    @Override
    public SortedMap<String, Slot> named(SortedMap<String, Slot> slots, Collection<Slot> fixed) {
        return new NodeAssigner(buckets, nodes, jobs, availability.now(), fixed).name(slots);
    }

    @Override
    public void take(Slot slot) {
        version++;
        availability.take(slot);
        floating.take(slot);
        Job job = slot.job();
        if (job != null && placement.personal()) {
            planned.take(job, slot.shares(), slot.start(), slot.end());
        }
        effort.move(slot, 1);
    }

    @Override
    public void giveBack(Slot slot) {
        version++;
        availability.giveBack(slot);
        floating.giveBack(slot);
        Job job = slot.job();
        if (job != null) {
            planned.giveBack(job, slot.shares());
        }
        effort.move(slot, -1);
    }

    @Override
    public void vacate(Job job, long from) {
        version++;
        availability.vacate(job, from);
    }

    @Override
    public void reoccupy(Job job, long from) {
        version++;
        availability.reoccupy(job, from);
    }

    @Override
    public boolean overcommitted() {
        return availability.overcommitted() || floating.overcommitted();
    }

    @Override
    public List<Window> windows() {
        return new BackfillWindows(availability).find();
    }

    @Override
    public long milliEquivalents(Job job) {
        return planKeys.milliEquivalents(job);
    }

    @Override
    public boolean possible(Job job) {
        return largest.possible(job);
    }

    @Override
    public boolean lockedOut(Job job) {
        return !access.open(job) && access.confined(job) && !access.admitted(job);
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
        return availability.open().cardinality();
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
        availability.look(accessViews.of(job, availability));
    }

    /** Returns before which instant a job cannot start as far as is known. */
    private int limit(Job job, PlanKey planKey, SetUse use) {
        if (planKey.needs.length > 1) {
            return 0;
        }
        return planKey.learned(accessViews.number(job))
                .after(availability.releases())
                .earliest(use == SetUse.ONE_SET, job.firstTasks(), NodeAvailabilityPlan.seconds(job.plannedSeconds()));
    }

    /** Remembers the start found, or that there is none before; not of spans, where fewer tasks may be harder to place. */
    private void learn(Job job, PlanKey planKey, SetUse use, int start) {
        if (planKey.needs.length == 1 && use != SetUse.EVEN_SPAN) {
            planKey.learned(accessViews.number(job))
                    .after(availability.releases())
                    .learn(
                            use == SetUse.ONE_SET,
                            job.firstTasks(),
                            NodeAvailabilityPlan.seconds(job.plannedSeconds()),
                            start);
        }
    }

    private static Slot slot(Job job, PlanKey planKey, long start, List<TaskShare> shares) {
        JobRequest request = job.request();
        return new Slot(start, job.plannedSeconds(), request.procs(), shares, planKey, job);
    }
}
