package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetSums;
import io.weir.scheduler.core.nodeset.SetTiming;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.nodeset.TaskPlacer;
import io.weir.scheduler.core.placement.Affinity;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.NodeAccessPolicy;
import io.weir.scheduler.core.policy.ResourceKind;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.Reservation;
import io.weir.scheduler.core.reservation.ReservationAccess;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import io.weir.scheduler.core.reservation.StartLimits;
import io.weir.scheduler.core.reservation.StartSweep;
import io.weir.scheduler.core.reservation.TaskNeed;
import io.weir.schemas.TaskPlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows every resource of every node over time, so that a slot names nodes which hold the job from its first second to
 * its last. Exact for any mix of nodes and requests.
 *
 * <p>What keeps it fast: only nodes with something free are looked at for a start now; the search for a later start
 * visits the instants at which a node that would do changes its answer, in order, and stops at the first that suffices;
 * and what one search taught about a shape of request bounds the next ({@link StartLimits}). Within the plan instants
 * are seconds after its start.
 */
final class NodePlan implements ResourcePlan {
    private static final long NOWHERE = Long.MAX_VALUE;

    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final NodeSets sets;
    private final ShapeTable shapes;
    private final ReservationAccess access;

    /** What reservations keep from jobs, by their access to them. */
    private final SortedMap<String, Veil> veils = new TreeMap<>();

    /** The veil that lies over the timelines. */
    private Veil drawn = Veil.NONE;

    /** What node sets hold, during a search inside one. */
    private final SetSums setSums;

    private ResourceTimeline[] lines = new ResourceTimeline[0];

    /** Amounts that may still be given to jobs that start now, by node and resource, as the availability policy says. */
    private int[] ready = new int[0];

    /** How much of that is more than is undedicated: a policy that packs by measured use. */
    private int[] beyond = new int[0];

    /** Nodes on which a job may start now and that have a processor left. */
    private final BitSet open = new BitSet();

    /** Nodes of slots taken. */
    private final BitSet touched = new BitSet();

    private final List<StartSweep> sweeps = new ArrayList<>(List.of(new StartSweep()));

    private long base;
    private long busyDelay;

    /** Now, in seconds after {@link #base}; later than it in a pass that goes on with the plan of the last one. */
    private int offset;

    /** The edition of the shapes that the timelines were made for. */
    private long edition = -1;

    /** Counts the times at which something was given back, which makes limits of starts void. */
    private long generation;

    NodePlan(JobTable jobs, NodeTable nodes, ReservationAccess access, Placement placement) {
        this.jobs = jobs;
        this.nodes = nodes;
        sets = new NodeSets(nodes);
        shapes = new ShapeTable(nodes, placement, sets);
        setSums = new SetSums(sets);
        this.placement = placement;
        this.access = access;
    }

    @Override
    public void reset(long now, SitePolicy policy) {
        veils.clear();
        drawn = Veil.NONE;
        base = now;
        offset = 0;
        generation++;
        shapes.refresh(policy);
        busyDelay = policy.availability().busyDelaySeconds();
        NodeResources resources = shapes.resources();
        int count = resources.count();
        int[] capacity = resources.capacity();
        int size = nodes.size();
        if (edition != shapes.edition()) {
            edition = shapes.edition();
            lines = new ResourceTimeline[size];
            Arrays.setAll(lines, i -> new ResourceTimeline(count));
            beyond = new int[size * count];
            for (int position = 0; position < size; position++) {
                NodeAccessPolicy access = nodes.at(position).access();
                lines[position].takesOne(access == NodeAccessPolicy.SINGLEJOB || access == NodeAccessPolicy.SINGLETASK);
            }
        }
        int[] left = capacity.clone();
        int[] share = new int[count];
        for (Job job : jobs.active()) {
            for (NodeShare part : job.shares()) {
                int position = nodes.position(part.nodeId());
                if (position >= 0) {
                    amounts(job, part, position, share);
                    for (int r = 0; r < count; r++) {
                        left[position * count + r] -= share[r];
                    }
                }
            }
        }
        for (int position = 0; position < size; position++) {
            lines[position].reset(left, position * count);
        }
        for (Job job : jobs.active()) {
            int end = seconds(Math.max(job.limitEnd(), now + 1) - now);
            for (NodeShare part : job.shares()) {
                int position = nodes.position(part.nodeId());
                if (position >= 0) {
                    amounts(job, part, position, share);
                    lines[position].release(end, share, 0);
                }
            }
        }
        ready = left;
        judgePresent(size, count);
        open.clear();
        touched.clear();
        for (int position = 0; position < size; position++) {
            judge(position, count);
        }
    }

    @Override
    public void resume(long now) {
        offset = seconds(now - base);
    }

    @Override
    public boolean exhausted() {
        return open.isEmpty();
    }

    @Override
    public @Nullable Slot now(Job job) {
        draw(veil(job));
        PlanShape shape = shapes.of(job);
        NodeSetRules rules = shape.sets;
        if (rules == null) {
            return now(job, shape, SetUse.NONE);
        }
        return SetTiming.now(
                rules,
                base + offset,
                use -> now(job, shape, use),
                (use, from, latest) -> earliest(job, shape, use, from, latest));
    }

    @Override
    public @Nullable Slot earliest(Job job, long from) {
        draw(veil(job));
        PlanShape shape = shapes.of(job);
        return SetTiming.earliest(
                shape.sets, from, (use, first, latest) -> earliest(job, shape, use, first, latest), Slot::start);
    }

    private @Nullable Slot now(Job job, PlanShape shape, SetUse use) {
        int seconds = seconds(job.limitSeconds());
        int tasks = job.firstTasks();
        if (limit(shape, use, tasks, seconds) > offset) {
            return null;
        }
        for (PlanShape.Part part : shape.parts) {
            List<TaskShare> shares = place(job, shape, use, part, offset, true);
            if (!shares.isEmpty()) {
                return slot(job, shape, base + offset, shares);
            }
        }
        learn(shape, use, tasks, seconds, offset + 1);
        return null;
    }

    /** Returns the earliest start between {@code from} and {@code latest}; null when there is none. */
    private @Nullable Slot earliest(Job job, PlanShape shape, SetUse use, long from, long latest) {
        int seconds = seconds(job.limitSeconds());
        int tasks = job.firstTasks();
        int limit = limit(shape, use, tasks, seconds);
        int asked = seconds(Math.max(0, from - base));
        int first = Math.max(asked, limit);
        long end = latest == SetTiming.NEVER ? NOWHERE : latest - base + 1;
        long best = end;
        List<TaskShare> chosen = List.of();
        for (PlanShape.Part part : shape.parts) {
            long start = search(job, shape, use, part, first, best);
            if (start < best) {
                best = start;
                chosen = found;
            }
        }
        if (asked <= Math.max(offset, limit)) {
            learn(shape, use, tasks, seconds, seconds(best));
        }
        return chosen.isEmpty() ? null : slot(job, shape, base + best, chosen);
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
        return shares.isEmpty() || !leftBy(veil(job), job, reservation.start(), shares)
                ? null
                : slot(job, shapes.of(job), reservation.start(), shares);
    }

    /** Returns whether {@code veil} leaves the job its shares. */
    private boolean leftBy(Veil veil, Job job, long at, List<TaskShare> shares) {
        PlanShape shape = shapes.of(job);
        int start = seconds(Math.max(0, at - base));
        int end = end(start, seconds(job.request().walltimeSeconds()));
        draw(veil);
        for (TaskShare share : shares) {
            boolean touched = veil.touches(share.position(), start, end);
            if (touched
                    && lines[share.position()].tasks(shape.needs[share.requirement()], start, end) < share.tasks()) {
                return false;
            }
        }
        return true;
    }

    private Veil veil(Job job) {
        if (access.open(job.request())) {
            return Veil.NONE;
        }
        return veils.computeIfAbsent(access.signature(job.request()), key -> Veil.of(job, access, nodes, base));
    }

    /** Lays {@code veil} over the timelines in place of the one that lies there; what was learned under that is void. */
    private void draw(Veil veil) {
        if (veil != drawn) {
            int count = shapes.resources().count();
            drawn.draw(lines, count, -1);
            veil.draw(lines, count, 1);
            drawn = veil;
            generation++;
        }
    }

    @Override
    public void take(Slot slot) {
        move(slot, 1);
    }

    @Override
    public void giveBack(Slot slot) {
        move(slot, -1);
        generation++;
    }

    @Override
    public boolean overcommitted() {
        draw(Veil.NONE);
        for (int position = touched.nextSetBit(0); position >= 0; position = touched.nextSetBit(position + 1)) {
            if (lines[position].overcommitted()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<Window> windows() {
        draw(Veil.NONE);
        int count = shapes.resources().count();
        long width = 0;
        long[] losses = new long[64];
        int size = 0;
        for (int position = open.nextSetBit(0); position >= 0; position = open.nextSetBit(position + 1)) {
            int row = position * count + NodeResources.PROCS;
            int instant = offset;
            int level = Math.min(ready[row], lines[position].free(NodeResources.PROCS, offset) + beyond[row]);
            width += Math.max(0, level);
            while (level > 0 && instant != ResourceTimeline.NEVER) {
                instant = lines[position].nextStep(instant);
                if (instant != ResourceTimeline.NEVER) {
                    int later = lines[position].free(NodeResources.PROCS, instant) + beyond[row];
                    if (later < level) {
                        losses = size == losses.length ? Arrays.copyOf(losses, size * 2) : losses;
                        losses[size++] = (long) instant << 32 | (level - Math.max(0, later));
                        level = later;
                    }
                }
            }
        }
        Arrays.sort(losses, 0, size);
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < size && width > 0; i++) {
            long instant = losses[i] >>> 32;
            if (i == 0 || instant != losses[i - 1] >>> 32) {
                windows.add(new Window(width, instant - offset));
            }
            width -= (int) losses[i];
        }
        if (width > 0) {
            windows.add(new Window(width, Long.MAX_VALUE));
        }
        return windows;
    }

    @Override
    public long milliEquivalents(Job job) {
        return shapes.milliEquivalents(job);
    }

    @Override
    public boolean possible(Job job) {
        PlanShape shape = shapes.of(job);
        List<Requirement> requirements = job.request().requirements();
        for (int i = 0; i < requirements.size(); i++) {
            if (shape.atMost[i] < requirements.get(i).tasks()) {
                return false;
            }
        }
        return !forbiddenBySets(job);
    }

    @Override
    public boolean forbiddenBySets(Job job) {
        PlanShape shape = shapes.of(job);
        NodeSetRules rules = shape.sets;
        if (rules == null || rules.optional()) {
            return false;
        }
        List<Requirement> requirements = job.request().requirements();
        for (int i = 0; i < requirements.size(); i++) {
            if (requirements.size() > 1) {
                if (!everInSets(job, shape, rules, i)) {
                    return true;
                }
            } else {
                int tasks = requirements.get(0).tasks();
                Boolean known = shape.everInSets.get(tasks);
                if (known == null) {
                    known = everInSets(job, shape, rules, 0);
                    shape.everInSets.put(tasks, known);
                }
                return !known;
            }
        }
        return false;
    }

    /** Returns what keeps jobs inside node sets. */
    NodeSets nodeSets() {
        return sets;
    }

    /** Returns whether the sets could hold a requirement when nothing runs and every node is up. */
    private boolean everInSets(Job job, PlanShape shape, NodeSetRules rules, int index) {
        Requirement requirement = job.request().requirements().get(index);
        TaskNeed need = shape.needs[index];
        int count = shapes.resources().count();
        ResourceTimeline idle = new ResourceTimeline(count);
        Candidates candidates = new Candidates(nodes, 64);
        BitSet those = placement.feasible(job, requirement);
        for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
            idle.reset(shapes.resources().capacity(), position * count);
            int tasks = need.usable(idle.tasks(need, 0, 1));
            if (tasks > 0) {
                candidates.add(position, tasks, base, Candidates.FOREVER, Affinity.NONE);
            }
        }
        TaskPlacer anywhere = (among, tasks, wanted) -> List.of(new TaskShare(among.position(0), index, tasks));
        return !sets.place(rules, SetUse.ONE_SET, candidates, requirement, anywhere)
                        .isEmpty()
                || (SetTiming.spans(rules)
                        && !sets.place(rules, SetUse.EVEN_SPAN, candidates, requirement, anywhere)
                                .isEmpty());
    }

    /** Returns the timeline of the node at {@code position}, as this plan has it. */
    ResourceTimeline line(int position) {
        return lines[position];
    }

    /** Shares of the last {@link #search} that found something. */
    private List<TaskShare> found = List.of();

    /** Returns the earliest start in {@code part} at or after {@code first} and before {@code before}, or NOWHERE. */
    private long search(Job job, PlanShape shape, SetUse use, PlanShape.Part part, int first, long before) {
        List<Requirement> requirements = job.request().requirements();
        SetSums inSet = inSet(shape, use, requirements);
        sweeps.get(0).watch(inSet);
        int seconds = seconds(job.request().walltimeSeconds());
        while (sweeps.size() < requirements.size()) {
            sweeps.add(new StartSweep());
        }
        for (int i = 0; i < requirements.size(); i++) {
            int[] positions = part.positions[i];
            sweeps.get(i)
                    .begin(
                            lines,
                            positions,
                            positions.length,
                            shape.needs[i],
                            first,
                            seconds,
                            part.bounds[i],
                            generation);
        }
        int start = first;
        while (true) {
            start = together(requirements, shape, inSet, start);
            if (start < 0 || start >= before) {
                return NOWHERE;
            }
            List<TaskShare> shares = place(job, shape, use, part, start, false);
            if (!shares.isEmpty()) {
                found = shares;
                return start;
            }
            int next = Integer.MAX_VALUE;
            for (int i = 0; i < requirements.size(); i++) {
                next = Math.min(next, sweeps.get(i).next());
            }
            if (next == Integer.MAX_VALUE) {
                return NOWHERE;
            }
            start = next;
        }
    }

    /** Returns the first instant from {@code from} on at which each requirement by itself has enough nodes, or -1. */
    private int together(List<Requirement> requirements, PlanShape shape, @Nullable SetSums inSet, int from) {
        int start = from;
        int agreed = 0;
        for (int i = 0; agreed < requirements.size(); i = (i + 1) % requirements.size()) {
            StartSweep sweep = sweeps.get(i);
            sweep.advanceTo(start);
            int tasks = requirements.get(i).tasks();
            while (sweep.total() < tasks || sweep.nodes() < shape.nodes[i] || (inSet != null && !inSet.any())) {
                if (!sweep.advance()) {
                    return -1;
                }
            }
            if (sweep.time() > start) {
                start = sweep.time();
                agreed = 1;
            } else {
                agreed++;
            }
        }
        return start;
    }

    /** Returns what follows the sets during a search for a start of a single requirement inside one; else null. */
    private @Nullable SetSums inSet(PlanShape shape, SetUse use, List<Requirement> requirements) {
        NodeSetRules rules = shape.sets;
        if (rules == null || use != SetUse.ONE_SET || requirements.size() > 1) {
            return null;
        }
        Integer wanted = requirements.get(0).nodes();
        setSums.begin(rules, requirements.get(0).tasks(), wanted == null ? 0 : wanted);
        return setSums;
    }

    /** Returns where the tasks go when the job starts at {@code start} in {@code part}; empty when they do not fit. */
    private List<TaskShare> place(
            Job job, PlanShape shape, SetUse use, PlanShape.Part part, int start, boolean immediate) {
        List<Requirement> requirements = job.request().requirements();
        int seconds = seconds(job.request().walltimeSeconds());
        List<TaskShare> all = new ArrayList<>();
        for (int i = 0; i < requirements.size(); i++) {
            Candidates candidates = immediate
                    ? openNodes(job, requirements.get(i), shape, part, i, seconds)
                    : laterNodes(job, shape, part, i, start, seconds, all.isEmpty());
            List<TaskShare> shares =
                    candidates == null ? List.of() : choose(job, shape, use, i, candidates, base + start, immediate);
            for (TaskShare share : shares) {
                hold(shape, share, start, end(start, seconds), 1, all);
                all.add(share);
            }
            if (shares.isEmpty()) {
                undo(shape, all, start, seconds);
                return List.of();
            }
        }
        List<TaskShare> result = List.copyOf(all);
        undo(shape, all, start, seconds);
        return result;
    }

    private List<TaskShare> choose(
            Job job, PlanShape shape, SetUse use, int index, Candidates candidates, long start, boolean immediate) {
        Requirement requirement = job.request().requirements().get(index);
        if (use == SetUse.NONE) {
            return placement.choose(job, index, requirement, candidates, start, immediate);
        }
        return sets.place(
                shape.sets,
                use,
                candidates,
                requirement,
                (among, tasks, nodes) ->
                        placement.choose(job, index, requirement.part(tasks, nodes), among, start, immediate));
    }

    private void undo(PlanShape shape, List<TaskShare> all, int start, int seconds) {
        while (!all.isEmpty()) {
            TaskShare share = all.remove(all.size() - 1);
            hold(shape, share, start, end(start, seconds), -1, all);
        }
    }

    /** Returns the nodes on which tasks may start now; null when they cannot hold all. */
    private @Nullable Candidates openNodes(
            Job job, Requirement requirement, PlanShape shape, PlanShape.Part part, int index, int seconds) {
        TaskNeed need = shape.needs[index];
        BitSet feasible = part.feasible[index];
        Candidates candidates = null;
        long total = 0;
        int used = 0;
        for (int position = open.nextSetBit(0); position >= 0; position = open.nextSetBit(position + 1)) {
            if (feasible.get(position)) {
                int tasks = readyTasks(need, position, seconds);
                tasks = tasks == 0 ? 0 : need.usable(Math.min(tasks, placement.present(position, job, requirement)));
                if (tasks > 0) {
                    total += tasks;
                    used++;
                    if (candidates == null) {
                        candidates = new Candidates(nodes, 16);
                    }
                    candidates.add(
                            position,
                            tasks,
                            base + offset,
                            slack(need, position, offset, seconds),
                            affinity(job, position, offset, seconds));
                }
            }
        }
        return total >= requirement.tasks() && used >= shape.nodes[index] ? candidates : null;
    }

    private Candidates laterNodes(
            Job job, PlanShape shape, PlanShape.Part part, int index, int start, int seconds, boolean untouched) {
        TaskNeed need = shape.needs[index];
        int[] positions = part.positions[index];
        StartSweep sweep = sweeps.get(index);
        Candidates candidates = new Candidates(nodes, 16);
        for (int place = 0; place < positions.length; place++) {
            int tasks = sweep.tasksAt(place);
            int position = positions[place];
            if (tasks > 0 && !untouched) {
                tasks = need.usable(lines[position].tasks(need, start, end(start, seconds)));
            }
            if (tasks > 0 && placement.personal() && !placement.admits(position, job, base + start)) {
                tasks = 0;
            }
            if (tasks > 0) {
                candidates.add(
                        position,
                        tasks,
                        base + Math.max(offset, lines[position].freeSince(need, start, 1)),
                        slack(need, position, start, seconds),
                        affinity(job, position, start, seconds));
            }
        }
        return candidates;
    }

    /** Tasks that may start now: as the availability policy sees the node now, and as its reservations leave it later. */
    private int readyTasks(TaskNeed need, int position, int seconds) {
        ResourceTimeline line = lines[position];
        int row = position * shapes.resources().count();
        int best = need.most();
        int[] full = need.full();
        if ((need.alone() || line.takesOne()) && line.tasks(need, offset, end(offset, seconds)) == 0) {
            return 0;
        }
        for (int r = 0; r < full.length && best > 0; r++) {
            if (full[r] > 0 && r != NodeResources.PRESENCE) {
                int amount = Math.min(ready[row + r], line.least(r, offset, end(offset, seconds)) + beyond[row + r]);
                best = amount <= 0 ? 0 : Math.min(best, amount / full[r]);
            }
        }
        return best;
    }

    private Affinity affinity(Job job, int position, int start, int seconds) {
        if (access.open()) {
            return Affinity.NONE;
        }
        long from = base + start;
        return access.affinity(job.request(), nodes.at(position).id(), from, from + seconds);
    }

    private long slack(TaskNeed need, int position, int start, int seconds) {
        int end = end(start, seconds);
        int next = lines[position].committedAfter(need, start, end);
        return next == ResourceTimeline.NEVER ? Candidates.FOREVER : next - end;
    }

    private void move(Slot slot, int sign) {
        PlanShape shape = slot.shape();
        if (shape == null) {
            return;
        }
        int start = seconds(Math.max(0, slot.start() - base));
        int end = seconds(Math.max(0, slot.end() - base));
        List<TaskShare> before = new ArrayList<>(slot.shares().size());
        for (TaskShare share : slot.shares()) {
            hold(shape, share, start, end, sign, before);
            before.add(share);
            touched.set(share.position());
        }
    }

    /** Takes or gives back one share; a job that is alone on its node takes all of it once. */
    private void hold(PlanShape shape, TaskShare share, int start, int end, int sign, List<TaskShare> before) {
        TaskNeed need = shape.needs[share.requirement()];
        int position = share.position();
        ResourceTimeline line = lines[position];
        int count = shapes.resources().count();
        int[] amounts = need.full();
        int times = share.tasks();
        if (need.alone() || line.takesOne()) {
            for (TaskShare other : before) {
                if (other.position() == position) {
                    return;
                }
            }
            amounts = Arrays.copyOfRange(shapes.resources().capacity(), position * count, (position + 1) * count);
            times = 1;
        }
        line.take(start, end, amounts, times * sign);
        if (start <= offset) {
            for (int r = 0; r < count; r++) {
                ready[position * count + r] -= amounts[r] * times * sign;
            }
            if (ready[position * count + NodeResources.PROCS] <= 0) {
                open.clear(position);
            } else if (!placement.busy(position)) {
                open.set(position);
            }
        }
    }

    /** Lets the availability policy say what may be given now, which is less or more than what is undedicated. */
    private void judgePresent(int size, int count) {
        Arrays.fill(beyond, 0);
        for (int position = 0; position < size; position++) {
            judge(position, count, NodeResources.PROCS, ResourceKind.PROC);
            judge(position, count, NodeResources.MEMORY, ResourceKind.MEM);
            judge(position, count, NodeResources.SWAP, ResourceKind.SWAP);
            judge(position, count, NodeResources.DISK, ResourceKind.DISK);
        }
    }

    private void judge(int position, int count, int resource, ResourceKind kind) {
        int at = position * count + resource;
        int undedicated = ready[at];
        ready[at] = (int) Math.min(Integer.MAX_VALUE / 4, placement.ready(position, kind));
        beyond[at] = Math.max(0, ready[at] - Math.max(0, undedicated));
        beyond[at] = undedicated < 0 ? ready[at] - undedicated : beyond[at];
    }

    /** Works out what may start now on a node. */
    private void judge(int position, int count) {
        boolean busy = placement.busy(position);
        if (busy && nodes.at(position).node().plannable()) {
            int[] rest = new int[count];
            for (int r = 0; r < count; r++) {
                rest[r] = Math.max(0, lines[position].free(r, 0));
            }
            lines[position].take(0, seconds(busyDelay), rest, 1);
        }
        if (!busy && ready[position * count + NodeResources.PROCS] > 0) {
            open.set(position);
        }
    }

    private void amounts(Job job, NodeShare part, int position, int[] share) {
        if (shapes.alone(job) || lines[position].takesOne()) {
            int count = share.length;
            System.arraycopy(shapes.resources().capacity(), position * count, share, 0, count);
        } else {
            Arrays.fill(share, 0);
            shapes.resources().add(part, job.request().labels().jobClass(), share, 0);
        }
    }

    /** Returns before which instant a job cannot start as far as is known. */
    private int limit(PlanShape shape, SetUse use, int tasks, int seconds) {
        if (shape.needs.length > 1 || placement.personal()) {
            return 0;
        }
        if (shape.limitsOf != generation) {
            shape.limitsOf = generation;
            shape.limits.clear();
            shape.limitsInSet.clear();
        }
        int limit = shape.limits.earliest(tasks, seconds);
        return use == SetUse.ONE_SET ? Math.max(limit, shape.limitsInSet.earliest(tasks, seconds)) : limit;
    }

    /** Remembers the start found, or that there is none before; not of spans, where fewer tasks may be harder to place. */
    private void learn(PlanShape shape, SetUse use, int tasks, int seconds, int start) {
        if (shape.needs.length == 1 && use != SetUse.EVEN_SPAN && !placement.personal()) {
            (use == SetUse.NONE ? shape.limits : shape.limitsInSet).learn(tasks, seconds, start);
        }
    }

    private static Slot slot(Job job, PlanShape shape, long start, List<TaskShare> shares) {
        JobRequest request = job.request();
        return new Slot(start, request.walltimeSeconds(), request.procs(), shares, shape);
    }

    private static int end(int start, int seconds) {
        int end = start + seconds;
        return end < start ? ResourceTimeline.NEVER : end;
    }

    private static int seconds(long seconds) {
        return (int) Math.min(ResourceTimeline.NEVER, seconds);
    }
}
