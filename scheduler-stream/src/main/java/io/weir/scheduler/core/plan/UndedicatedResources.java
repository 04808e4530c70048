package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.TimelineRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;

/**
 * What the running jobs leave of the nodes: the amounts now, kept from plan to plan, and the timelines that follow from the
 * ends of the jobs. Both are worked out for the nodes that are asked for alone; of any other node they stay as they are.
 */
final class UndedicatedResources {
    private final JobTable jobs;
    private final NodeTable nodes;
    private final PlanKeyTable planKeys;
    private final NodeBuckets buckets;

    /** By node and resource, what the running jobs leave. */
    private int[] left = new int[0];

    UndedicatedResources(JobTable jobs, NodeTable nodes, PlanKeyTable planKeys, NodeBuckets buckets) {
        this.jobs = jobs;
        this.nodes = nodes;
        this.planKeys = planKeys;
        this.buckets = buckets;
    }

    /** Returns what the running jobs leave, by node and resource; to be read. */
    int[] amounts() {
        return left;
    }

    /** Works out what the running jobs leave now of the nodes at {@code positions}. */
    void count(BitSet positions, TimelineRow lines) {
        int[] capacity = planKeys.resources().capacity();
        int count = planKeys.resources().count();
        if (left.length != capacity.length) {
            left = new int[capacity.length];
        }
        for (int at = positions.nextSetBit(0); at >= 0; at = positions.nextSetBit(at + 1)) {
            System.arraycopy(capacity, at * count, left, at * count, count);
        }
        int[] share = new int[count];
        for (Job job : holders(positions)) {
            NodeSharing sharing = planKeys.sharing(job);
            int[] held = job.positions(nodes);
            for (int i = 0; i < held.length; i++) {
                int at = held[i];
                if (at >= 0 && positions.get(at)) {
                    amounts(job, sharing, job.shares().get(i), at, lines, share);
                    for (int r = 0; r < count; r++) {
                        left[at * count + r] -= share[r];
                    }
                }
            }
        }
    }

    /**
     * Makes the timelines of the nodes at {@code positions}: what is left now, and what running jobs give back at their ends.
     *
     * @param end when a job gives back what it holds, as an instant of the plan
     */
    void layOut(BitSet positions, TimelineRow lines, ToIntFunction<Job> end) {
        int count = planKeys.resources().count();
        int[] nothing = new int[count];
        for (int at = positions.nextSetBit(0); at >= 0; at = positions.nextSetBit(at + 1)) {
            BitSet bucket = buckets.bucket(at);
            if (bucket != null) {
                lines.at(at).reset(together(bucket, count), 0);
            } else if (buckets.leader(at) != at) {
                lines.at(at).reset(nothing, 0);
            } else {
                lines.at(at).reset(left, at * count);
            }
        }
        int[] share = new int[count];
        for (Job job : holders(positions)) {
            int ends = end.applyAsInt(job);
            NodeSharing sharing = planKeys.sharing(job);
            int[] held = job.positions(nodes);
            for (int i = 0; i < held.length; i++) {
                int at = held[i];
                if (at >= 0 && positions.get(at)) {
                    amounts(job, sharing, job.shares().get(i), at, lines, share);
                    int[] amounts = buckets.inBucket(at) ? NodeResources.procsOnly(share) : share;
                    lines.at(buckets.leader(at)).release(ends, amounts, 0);
                }
            }
        }
    }

    /** Takes what running jobs give back on the node at {@code position} before {@code until} from its timeline. */
    void withhold(int position, TimelineRow lines, ToIntFunction<Job> end, int until) {
        ResourceTimeline line = lines.at(position);
        int[] share = new int[planKeys.resources().count()];
        for (Map.Entry<String, NodeShare> held : nodes.sharesAt(position).entrySet()) {
            Job job = jobs.get(held.getKey());
            if (job != null && job.active()) {
                amounts(job, planKeys.sharing(job), held.getValue(), position, lines, share);
                line.take(end.applyAsInt(job), until, share, 1);
            }
        }
    }

    /** What {@link #held} tells of. */
    interface Holding {
        /** On the timeline of {@code leader}, its own node or that of its bucket, the job holds {@code amounts}. */
        void on(int leader, int[] amounts);
    }

    /** Tells what {@code job}, which runs, holds of the nodes whose positions {@code wanted} takes. */
    void held(Job job, TimelineRow lines, Holding holding, IntPredicate wanted) {
        int[] share = new int[planKeys.resources().count()];
        NodeSharing sharing = planKeys.sharing(job);
        int[] held = job.positions(nodes);
        for (int i = 0; i < held.length; i++) {
            int at = held[i];
            if (at >= 0 && wanted.test(at)) {
                amounts(job, sharing, job.shares().get(i), at, lines, share);
                holding.on(buckets.leader(at), buckets.inBucket(at) ? NodeResources.procsOnly(share) : share);
            }
        }
    }

    /** Returns the active jobs that hold something of the nodes at {@code positions}, earliest planned end first. */
    private Collection<Job> holders(BitSet positions) {
        if (positions.cardinality() == nodes.size()) {
            return jobs.active();
        }
        Set<String> seen = new LinkedHashSet<>();
        List<Job> holders = new ArrayList<>();
        for (int at = positions.nextSetBit(0); at >= 0; at = positions.nextSetBit(at + 1)) {
            for (String id : nodes.sharesAt(at).keySet()) {
                Job job = seen.add(id) ? jobs.get(id) : null;
                if (job != null && job.active()) {
                    holders.add(job);
                }
            }
        }
        holders.sort(Comparator.comparingLong(Job::plannedEnd));
        return holders;
    }

    /** Returns what a bucket has: its processors, and of the rest always enough for them. */
    private int[] together(BitSet bucket, int count) {
        int[] sum = new int[count];
        Arrays.fill(sum, Integer.MAX_VALUE / 4);
        sum[NodeResources.PROCS] = 0;
        bucket.stream().forEach(position -> sum[NodeResources.PROCS] += left[position * count + NodeResources.PROCS]);
        return sum;
    }

    /** Works out what {@code job} keeps from others by {@code part}: the whole node where it is alone there. */
    private void amounts(Job job, NodeSharing sharing, NodeShare part, int position, TimelineRow lines, int[] share) {
        if (!job.procsReleased() && sharing.alone(lines.at(position).takesOne())) {
            int count = share.length;
            System.arraycopy(planKeys.resources().capacity(), position * count, share, 0, count);
        } else {
            Arrays.fill(share, 0);
            planKeys.resources().add(part, job.request().credentials().jobClass(), share, 0);
        }
    }
}
