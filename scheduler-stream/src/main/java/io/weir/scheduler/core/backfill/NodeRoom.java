package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.NodeAccessPolicy;
import io.weir.scheduler.core.policy.ResourceKind;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.reservation.ResourceTimeline;
import io.weir.scheduler.core.reservation.TaskNeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What every node has free over time, as running jobs and slots taken leave it, and what of that may be given to jobs that
 * start now, as the availability policy says. Instants are seconds after the start of the plan.
 */
final class NodeRoom {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final Placement placement;
    private final ShapeTable shapes;

    private ResourceTimeline[] lines = new ResourceTimeline[0];

    /** Amounts that may still be given to jobs that start now, by node and resource, as the availability policy says. */
    private int[] ready = new int[0];

    /** How much of that is more than is undedicated: a policy that packs by measured use. */
    private int[] beyond = new int[0];

    /** Nodes on which a job may start now and that have a processor left. */
    private final BitSet open = new BitSet();

    /** Nodes of slots taken. */
    private final BitSet touched = new BitSet();

    /** What was given back. */
    private final Releases releases = new Releases();

    private long base;

    /** Now; later than 0 in a pass that goes on with the plan of the last one. */
    private int offset;

    /** The edition of the shapes that the timelines were made for. */
    private long edition = -1;

    NodeRoom(JobTable jobs, NodeTable nodes, Placement placement, ShapeTable shapes) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.placement = placement;
        this.shapes = shapes;
    }

    /** Starts anew: what the running jobs leave free from {@code now} on. */
    void reset(long now, SitePolicy policy) {
        base = now;
        offset = 0;
        releases.clear();
        int count = shapes.resources().count();
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
        ready = running(now, size, count);
        judgePresent(size, count);
        open.clear();
        touched.clear();
        long busyDelay = policy.availability().busyDelaySeconds();
        for (int position = 0; position < size; position++) {
            judge(position, count, busyDelay);
        }
    }

    /** Puts what the running jobs hold into the timelines, and returns what they leave at the start. */
    private int[] running(long now, int size, int count) {
        int[] left = shapes.resources().capacity().clone();
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
        return left;
    }

    /** Says that time went on to {@code now} and nothing else happened. */
    void resume(long now) {
        offset = seconds(now - base);
    }

    /** Returns the start of the plan, epoch seconds. */
    long base() {
        return base;
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
        return seconds(Math.max(0, epochSecond - base));
    }

    /** Returns the timelines by position; to be read. */
    ResourceTimeline[] lines() {
        return lines;
    }

    /** Returns the nodes on which a job may start now and that have a processor left; to be read. */
    BitSet open() {
        return open;
    }

    /** Returns what was given back. */
    Releases releases() {
        return releases;
    }

    void take(Slot slot) {
        move(slot, 1);
    }

    void giveBack(Slot slot) {
        move(slot, -1);
        for (TaskShare share : slot.shares()) {
            releases.add(share.position(), instant(slot.start()), instant(slot.end()));
        }
    }

    private void move(Slot slot, int sign) {
        PlanShape shape = slot.shape();
        if (shape == null) {
            return;
        }
        int start = instant(slot.start());
        int end = instant(slot.end());
        List<TaskShare> before = new ArrayList<>(slot.shares().size());
        for (TaskShare share : slot.shares()) {
            hold(shape, share, start, end, sign, before);
            before.add(share);
            touched.set(share.position());
        }
    }

    /**
     * Takes or gives back one share; a job that is alone on its node takes all of it once.
     *
     * @param before the shares of the same job that are held already
     */
    void hold(PlanShape shape, TaskShare share, int start, int end, int sign, List<TaskShare> before) {
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

    /** Returns whether more is taken than there is at any time. */
    boolean overcommitted() {
        for (int position = touched.nextSetBit(0); position >= 0; position = touched.nextSetBit(position + 1)) {
            if (lines[position].overcommitted()) {
                return true;
            }
        }
        return false;
    }

    /** Tasks that may start now: as the availability policy sees the node now, and as its reservations leave it later. */
    int readyTasks(TaskNeed need, int position, int seconds) {
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

    /** Returns the processors of the node that may be given to jobs that start now and last until {@code instant}. */
    int readyProcs(int position, int instant) {
        int row = position * shapes.resources().count() + NodeResources.PROCS;
        int free = lines[position].free(NodeResources.PROCS, instant) + beyond[row];
        return instant <= offset ? Math.min(ready[row], free) : free;
    }

    /** Returns for how long after the interval what is free on a node stays so. */
    long slack(TaskNeed need, int position, int start, int seconds) {
        int end = end(start, seconds);
        int next = lines[position].committedAfter(need, start, end);
        return next == ResourceTimeline.NEVER ? Candidates.FOREVER : next - end;
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
    private void judge(int position, int count, long busyDelay) {
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

    /** Returns the end of an interval, {@link ResourceTimeline#NEVER} when it is beyond what can be counted. */
    static int end(int start, int seconds) {
        int end = start + seconds;
        return end < start ? ResourceTimeline.NEVER : end;
    }

    /** Returns a number of seconds as an instant of a plan. */
    static int seconds(long seconds) {
        return (int) Math.min(ResourceTimeline.NEVER, seconds);
    }
}
