package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAccess;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.reservation.NodeBlock;
import io.weir.scheduler.core.reservation.TimeArgument;
import io.weir.scheduler.core.timeline.AvailabilityProfile;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.TaskNeed;
import io.weir.scheduler.core.timeline.TimelineRow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What every node has free over time, as running jobs and slots taken leave it; {@link ImmediateAvailability} says what of that may be
 * given to jobs that start now. Instants are seconds
 * after a base that stays for many plans.
 */
final class NodeAvailabilityPlan {
    /** For how long instants are counted from the same base, seconds: as long as gaps lie at the beginning of their index. */
    private static final int ERA = 86_400;

    /** How far ahead of the start of a plan an instant never comes, whatever the base. */
    static final int HORIZON = ResourceTimeline.NEVER - ERA;

    /** Stands for no instant until which anything is withheld. */
    private static final long NOT_WITHHELD = Long.MIN_VALUE;

    private final NodeTable nodes;
    private final PlanKeyTable planKeys;
    private final NodeBuckets buckets;
    private final PlanChanges changes;
    private final UndedicatedResources undedicated;
    private final ImmediateAvailability immediate;

    private TimelineRow lines = new TimelineRow(0, 0);

    /** The timelines by which the present job sees the nodes. */
    private AccessView accessView = new AccessView(0);

    /** Nodes of slots taken, and those that lead their buckets. */
    private final BitSet touched = new BitSet();

    /** Nodes of which slots take something later than now, counted by their leaders. */
    private final BitSet later = new BitSet();

    /** Nodes that give nothing for a while from now on, whenever that is. */
    private final BitSet delayed = new BitSet();

    /** For how long nodes count as unavailable that take nothing, seconds. */
    private long busySeconds;

    /** Until when nodes count as having no more than they may give now, epoch seconds; {@link #NOT_WITHHELD}. */
    private long withheldUntil = NOT_WITHHELD;

    /** See {@link ResourcePlan#nextReturn}. */
    private long nextReturn = AvailabilityProfile.NEVER;

    /** What was given back. */
    private final ReleaseLog releases = new ReleaseLog();

    /** From when on instants are counted, epoch seconds. */
    private long base;

    /** The start of the plan. */
    private int start;

    /** Now; later than the start in a pass that goes on with the plan of the last one. */
    private int offset;

    /** The first instant met that is too far ahead of the start of a plan to be counted, epoch seconds. */
    private long beyond = Long.MAX_VALUE;

    /** Edition of the plan keys for which the timelines were made. */
    private long edition = -1;

    NodeAvailabilityPlan(
            JobTable jobs, NodeTable nodes, Placement placement, PlanKeyTable planKeys, NodeBuckets buckets) {
        this.buckets = buckets;
        this.nodes = nodes;
        this.planKeys = planKeys;
        changes = new PlanChanges(jobs, nodes, planKeys, placement);
        undedicated = new UndedicatedResources(jobs, nodes, planKeys, buckets);
        immediate = new ImmediateAvailability(placement, planKeys, buckets);
    }

    /**
     * Starts over: what the running jobs leave free from {@code now} on. Only the timelines of nodes on which something
     * happened since the last time are made anew.
     */
    void reset(long now, long begun, SitePolicy policy) {
        BitSet changed = begin(now);
        int size = nodes.size();
        int count = planKeys.resources().count();
        releases.clear();
        lines.dropCopies();
        accessView = new AccessView(size);
        undedicated.count(changed, lines);
        immediate.reset(undedicated.amounts(), changed);
        boolean pooled = buckets.any();
        buckets.form(immediate.amounts(), undedicated.amounts());
        if (pooled || buckets.any()) {
            changed = PlanChanges.all(size);
        }
        undedicated.layOut(changed, lines, this::end);
        touched.clear();
        later.clear();
        delayed.clear();
        withheldUntil = NOT_WITHHELD;
        busySeconds = policy.availability().busyDelaySeconds();
        nextReturn = AvailabilityProfile.NEVER;
        int busy = back(begun, busySeconds);
        for (int position = changed.nextSetBit(0); position >= 0; position = changed.nextSetBit(position + 1)) {
            if (immediate.admit(position)) {
                continue;
            }
            EffectiveNode node = nodes.at(position);
            delayed.set(position, node.plannable());
            if (node.isAwaited()) {
                int back = node.isKept()
                        ? Math.max(start + 1, instant(node.keptUntil()))
                        : back(begun, node.awaitedSeconds());
                returns(back);
                takeAll(position, count, back);
                undedicated.withhold(position, lines, this::end, back);
            } else if (node.plannable()) {
                returns(busy);
                takeAll(position, count, busy);
            }
        }
    }

    /** Returns the instant of the plan {@code delay} seconds behind {@code begun}: now where there is no delay, else later. */
    private int back(long begun, long delay) {
        return delay <= 0 ? start : Math.max(start + 1, end(start, seconds(delay - (now() - begun))));
    }

    private void returns(int back) {
        if (back > start && back != ResourceTimeline.NEVER) {
            nextReturn = Math.min(nextReturn, base + back);
        }
    }

    /** Goes on to {@code now} and returns the positions of the nodes to look at anew: all when the count of time starts anew. */
    private BitSet begin(long now) {
        boolean anew = changes.incomparable() || now < base + start || now - base >= ERA || outgrown(now);
        BitSet changed = changes.since(now);
        if (anew) {
            changed = PlanChanges.all(nodes.size());
            base = now;
            beyond = Long.MAX_VALUE;
        } else {
            changed.or(touched);
            changed.or(delayed);
        }
        start = (int) (now - base);
        offset = start;
        if (edition != planKeys.edition()) {
            edition = planKeys.edition();
            lines = new TimelineRow(nodes.size(), planKeys.resources().count());
            for (int position = 0; position < nodes.size(); position++) {
                NodeAccessPolicy access = nodes.at(position).access();
                lines.at(position).takesOne(NodeAccess.exclusive(access));
                lines.at(position).takesOneTask(access == NodeAccessPolicy.SINGLETASK);
            }
        }
        return changed;
    }

    /** Returns when a running job gives back what it holds: at its planned end, or at the next instant once that is over. */
    private int end(Job job) {
        return instant(Math.max(job.plannedEnd(), base + start + 1));
    }

    /** Shows the nodes by {@code another} view from now on. */
    void look(AccessView another) {
        accessView = another;
    }

    /** Returns the timeline that counts the node at {@code position}, or its bucket, as it is seen. */
    ResourceTimeline line(int position) {
        return lines.at(accessView.line(buckets.leader(position)));
    }

    /** Returns whether the view hides resources of the node at {@code position}, or of its bucket, during [from, to). */
    boolean veiled(int position, int from, int to) {
        int leader = buckets.leader(position);
        int line = accessView.line(leader);
        return line != leader && lines.at(line).differs(lines.at(leader), from, to);
    }

    /** Moves on to {@code now}; nothing but time has changed. */
    void resume(long now) {
        offset = (int) Math.min(ResourceTimeline.NEVER, now - base);
    }

    /** Returns from when on instants are counted, epoch seconds; not after the start of the plan. */
    long base() {
        return base;
    }

    /** Returns the start of the plan, epoch seconds. */
    long start() {
        return base + start;
    }

    /** Returns now. */
    int offset() {
        return offset;
    }

    /** Returns now, epoch seconds. */
    long now() {
        return base + offset;
    }

    /** Returns an instant of the plan for epoch seconds; the start of the plan for what was before. */
    int instant(long epochSecond) {
        long after = Math.max(0, epochSecond - start());
        if (after >= HORIZON && epochSecond < TimeArgument.FOREVER) {
            beyond = Math.min(beyond, epochSecond);
        }
        return epochSecond >= TimeArgument.FOREVER || after >= HORIZON ? ResourceTimeline.NEVER : start + (int) after;
    }

    /** Returns whether {@code now}, or what a plan that started then would tell from "never", is beyond what this one counts. */
    boolean outgrown(long now) {
        return now - base >= HORIZON || beyond - now < HORIZON;
    }

    /** Returns the timelines: by position, then copies. */
    TimelineRow lines() {
        return lines;
    }

    /** Returns the view by which the nodes are shown. */
    AccessView accessView() {
        return accessView;
    }

    /** Returns the nodes on which a job may start now and that have a processor left; to be read. */
    BitSet open() {
        return immediate.open();
    }

    /**
     * Returns the nodes of {@code some} of which slots take something later than now; what there is of all others does not become
     * less.
     */
    BitSet neededLater(BitSet some) {
        BitSet needed = (BitSet) later.clone();
        for (int leader = later.nextSetBit(0); leader >= 0; leader = later.nextSetBit(leader + 1)) {
            BitSet bucket = buckets.bucket(leader);
            if (bucket != null) {
                needed.or(bucket);
            }
        }
        needed.and(some);
        return needed;
    }

    /** Returns what was given back. */
    ReleaseLog releases() {
        return releases;
    }

    /**
     * Hides what {@code blocks} take of the node at {@code position} from the jobs that share the view {@code from}.
     *
     * @param shared whether somebody else has part of the node by them, so that none of the jobs has it alone then
     */
    void keep(AccessView from, int position, List<NodeBlock> blocks, boolean shared) {
        int leader = buckets.leader(position);
        if (!blocks.isEmpty() && from.line(leader) == leader) {
            from.show(leader, lines.copy(leader));
        }
        for (NodeBlock block : blocks) {
            int[] amounts = new int[planKeys.resources().count()];
            amounts[NodeResources.PROCS] = block.amount().procs();
            amounts[NodeResources.MEMORY] = amount(block.amount().memoryMb());
            amounts[NodeResources.SWAP] = amount(block.amount().swapMb());
            amounts[NodeResources.DISK] = amount(block.amount().diskMb());
            amounts[NodeResources.PRESENCE] = shared ? 1 : 0;
            lines.at(from.line(leader))
                    .take(
                            instant(block.from()),
                            instant(block.to()),
                            buckets.inBucket(position) ? NodeResources.procsOnly(amounts) : amounts,
                            1);
        }
    }

    private static int amount(long amount) {
        return (int) Math.min(Integer.MAX_VALUE / 4, amount);
    }

    void take(Slot slot) {
        move(slot, 1);
    }

    void giveBack(Slot slot) {
        move(slot, -1);
        for (TaskShare share : slot.shares()) {
            for (int n = buckets.leader(share.position()); n >= 0; n = lines.next(n)) {
                releases.add(n, instant(slot.start()), instant(slot.end()));
            }
        }
    }

    /** Counts what {@code job}, which runs, holds of nodes that take jobs as free from {@code from} on, epoch seconds. */
    void vacate(Job job, long from) {
        holdFrom(job, from, -1);
    }

    /** Takes back {@link #vacate}. */
    void reoccupy(Job job, long from) {
        holdFrom(job, from, 1);
    }

    private void holdFrom(Job job, long from, int count) {
        int start = instant(from);
        int end = end(job);
        if (end <= start) {
            return;
        }
        undedicated.held(
                job,
                lines,
                (leader, amounts) -> {
                    lines.take(leader, start, end, amounts, count);
                    touched.set(leader);
                    for (int n = leader; n >= 0 && count < 0; n = lines.next(n)) {
                        releases.add(n, start, end);
                    }
                },
                this::gives);
    }

    /** Returns whether the node at {@code position} takes jobs now. */
    private boolean gives(int position) {
        return nodes.at(position).plannable() && !delayed.get(position);
    }

    private void move(Slot slot, int sign) {
        PlanKey planKey = slot.planKey();
        if (planKey == null) {
            return;
        }
        int start = instant(slot.start());
        int end = instant(slot.end());
        HeldShares before = new HeldShares();
        for (TaskShare share : slot.shares()) {
            hold(planKey, share, start, end, sign, before);
            holdRest(planKey, share, start, end, sign, before);
            before.add(share);
        }
    }

    /**
     * Takes or gives back one share; a job that is alone on its node takes all of it once.
     *
     * @param before the shares of the same job that are held already
     */
    void hold(PlanKey planKey, TaskShare share, int start, int end, int sign, HeldShares before) {
        TaskNeed need = planKey.needs[share.requirement()];
        int position = share.position();
        int leader = buckets.leader(position);
        touched.set(position);
        touched.set(leader);
        if (start > offset) {
            later.set(leader);
        }
        int count = planKeys.resources().count();
        if (need.sharing().alone(lines.at(leader).takesOne())) {
            if (before.at(position).isEmpty()) {
                take(
                        position,
                        start,
                        end,
                        Arrays.copyOfRange(planKeys.resources().capacity(), position * count, (position + 1) * count),
                        sign);
            }
        } else if (need.byTasksAlone()) {
            take(position, start, end, need.full(), share.tasks() * sign);
        } else {
            int held = tasks(share.requirement(), before.at(position));
            int[] amounts = new int[count];
            for (int r = 0; r < count; r++) {
                amounts[r] = (int) (need.taken(r, held + share.tasks()) - need.taken(r, held));
            }
            take(position, start, end, amounts, sign);
        }
    }

    /** Returns how many tasks of {@code requirement} are among {@code shares}. */
    private static int tasks(int requirement, List<TaskShare> shares) {
        int tasks = 0;
        for (TaskShare share : shares) {
            tasks += share.requirement() == requirement ? share.tasks() : 0;
        }
        return tasks;
    }

    private void take(int position, int start, int end, int[] amounts, int times) {
        lines.take(
                buckets.leader(position),
                start,
                end,
                buckets.inBucket(position) ? NodeResources.procsOnly(amounts) : amounts,
                times);
        if (start <= offset) {
            immediate.take(position, amounts, times);
        }
    }

    /**
     * Takes or gives back what a share leaves of units of processors, which nobody else gets; none of them is left to begin with,
     * and the shares before, of the same job, may have begun some.
     */
    private void holdRest(PlanKey planKey, TaskShare share, int start, int end, int sign, HeldShares before) {
        int position = share.position();
        EffectiveNode node = nodes.at(position);
        TaskNeed need = planKey.needs[share.requirement()];
        if (node.procUnit() == 1 || need.sharing().alone(lines.at(position).takesOne())) {
            return;
        }
        List<TaskShare> others = before.at(position);
        int held = 0;
        for (int i = 0; i < planKey.needs.length && !others.isEmpty(); i++) {
            held += (int) planKey.needs[i].taken(NodeResources.PROCS, tasks(i, others));
        }
        int own = tasks(share.requirement(), others);
        int more = (int) (need.taken(NodeResources.PROCS, own + share.tasks()) - need.taken(NodeResources.PROCS, own));
        int left = node.dedicated(held + more) - node.dedicated(held) - more;
        if (left != 0) {
            int[] rest = new int[planKeys.resources().count()];
            rest[NodeResources.PROCS] = left;
            take(position, start, end, rest, sign);
        }
    }

    /** Returns whether more is taken than there is at any time. */
    boolean overcommitted() {
        for (int position = touched.nextSetBit(0); position >= 0; position = touched.nextSetBit(position + 1)) {
            if (lines.at(position).overcommitted()) {
                return true;
            }
        }
        return false;
    }

    /** Tasks that may start now: as the availability policy sees the node now, and as its reservations leave it later. */
    int readyTasks(TaskNeed need, int position, int seconds) {
        ResourceTimeline line = line(position);
        int end = end(offset, seconds);
        return need.sharing().alone(line.takesOne()) && line.tasks(need, offset, end) == 0
                ? 0
                : immediate.tasks(need, position, line, offset, end);
    }

    /**
     * Returns how many tasks of a requirement fit the node at {@code position} besides those in {@code before}, which are of
     * the same job: none where it or another there lies apart; -1 unless that, or the job has the whole of that node by them.
     */
    int tasksBeside(PlanKey planKey, int requirement, int position, HeldShares before) {
        if (before.isEmpty()) {
            return -1;
        }
        TaskNeed need = planKey.needs[requirement];
        ResourceTimeline line = line(position);
        boolean alone = need.sharing().alone(line.takesOne());
        if (!(alone || planKey.dividesNodes())) {
            return -1;
        }
        List<TaskShare> own = before.at(position);
        if (own.isEmpty()) {
            return -1;
        }
        if (own.stream().anyMatch(other -> !planKey.mayShareNode(requirement, other.requirement()))) {
            return 0;
        }
        if (!alone) {
            return -1;
        }
        int count = planKeys.resources().count();
        int[] left = Arrays.copyOfRange(planKeys.resources().capacity(), position * count, (position + 1) * count);
        for (TaskShare other : own) {
            for (int r = 0; r < left.length; r++) {
                left[r] -= (int) planKey.needs[other.requirement()].taken(r, other.tasks());
            }
        }
        boolean oneTask = planKey.oneTask || (line.takesOneTask() && need.sharing() == NodeSharing.AS_THE_NODE_SAYS);
        int best = oneTask ? 0 : need.most();
        for (int r = 0; r < left.length && best > 0; r++) {
            if (need.takes(r)) {
                best = need.fitting(r, left[r], best);
            }
        }
        return best;
    }

    /** Returns what may be given to jobs that start now. */
    ImmediateAvailability present() {
        return immediate;
    }

    /** Returns the buckets that are counted together. */
    NodeBuckets buckets() {
        return buckets;
    }

    /**
     * Returns the processors that may be given to jobs that start now and last until {@code instant}: of the node at
     * {@code position}, or of the bucket it leads.
     */
    int readyProcs(int position, int instant) {
        int free = lines.at(position).free(NodeResources.PROCS, instant) + immediate.procsBeyond(position);
        return instant > offset ? free : Math.min(immediate.procs(position), free);
    }

    /** Returns for how long after the interval what is free on a node stays so. */
    long slack(TaskNeed need, int position, int start, int seconds) {
        int end = end(start, seconds);
        int next = line(position).committedAfter(need, start, end);
        return next == ResourceTimeline.NEVER ? Candidates.FOREVER : next - end;
    }

    /** Takes all that a node has left now until {@code end}. */
    private void takeAll(int position, int count, int end) {
        int[] rest = new int[count];
        for (int r = 0; r < count; r++) {
            rest[r] = Math.max(0, lines.at(position).free(r, start));
        }
        lines.at(position).take(start, end, rest, 1);
    }

    /**
     * Counts nodes that may give less now than jobs leave of them, by what is measured, as having no more for a while; returns
     * until when, epoch seconds. That is the end of the next whole delay of NODEBUSYSTATEDELAYTIME, so that plans agree about it
     * though made at different instants. Such nodes count as they are left to plans until somebody turns out to need the difference.
     */
    long withhold() {
        if (withheldUntil == NOT_WITHHELD) {
            withheldUntil = busySeconds <= 0
                    ? now()
                    : busySeconds >= HORIZON ? TimeArgument.FOREVER : (now() / busySeconds + 2) * busySeconds;
            int end = instant(withheldUntil);
            int[] amounts = new int[planKeys.resources().count()];
            BitSet those = (BitSet) immediate.withholding().clone();
            those.andNot(delayed);
            for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
                for (int r = 0; r < amounts.length; r++) {
                    int free = Math.max(0, lines.at(position).least(r, offset, end));
                    amounts[r] = Math.min(free, immediate.withheld(position, r));
                }
                lines.take(position, offset, end, amounts, 1);
                touched.set(position);
            }
        }
        return withheldUntil;
    }

    /** Returns whether a node of {@code shares} may give less now than jobs leave of it. */
    boolean givesLess(List<TaskShare> shares) {
        return shares.stream().anyMatch(share -> immediate.withholding().get(share.position()));
    }

    /** Returns {@link ResourcePlan#nextReturn}. */
    long nextReturn() {
        return nextReturn;
    }

    /** Returns {@link ResourcePlan#withholdsMoreFrom}. */
    long withholdsMoreFrom() {
        return withheldUntil == NOT_WITHHELD || busySeconds <= 0 || busySeconds >= HORIZON
                ? AvailabilityProfile.NEVER
                : withheldUntil - busySeconds;
    }

    /** Returns the end of an interval, {@link ResourceTimeline#NEVER} when it is beyond what can be counted. */
    static int end(int start, int seconds) {
        int end = start + seconds;
        return end < start ? ResourceTimeline.NEVER : end;
    }

    /** Returns a number of seconds, {@link ResourceTimeline#NEVER} when it is beyond what can be counted. */
    static int seconds(long seconds) {
        return seconds >= HORIZON ? ResourceTimeline.NEVER : (int) seconds;
    }
}
