package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.timeline.ResourceTimeline;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What may be given to jobs that start now, and on which nodes, as the availability policy says: less than what is
 * undedicated where more is in use, more than that where the policy packs by measured use.
 */
final class ImmediateAvailability {
    private final Placement placement;
    private final PlanKeyTable planKeys;
    private final NodeBuckets buckets;

    /** Amounts that may still be given, by node and resource. */
    private int[] ready = new int[0];

    /** How much of that is more than is undedicated. */
    private int[] beyond = new int[0];

    /** By node and resource, how much less may be given than is undedicated. */
    private int[] withheld = new int[0];

    /** Nodes of which less may be given than is undedicated. */
    private final BitSet withholding = new BitSet();

    /** Nodes on which a job may start and that have a processor left. */
    private final BitSet open = new BitSet();

    /** Resources of a node. */
    private int count;

    ImmediateAvailability(Placement placement, PlanKeyTable planKeys, NodeBuckets buckets) {
        this.placement = placement;
        this.planKeys = planKeys;
        this.buckets = buckets;
    }

    /**
     * Judges the nodes at {@code positions} anew; none of them is admitted yet.
     *
     * @param undedicated what running jobs leave, by node and resource
     */
    void reset(int[] undedicated, BitSet positions) {
        count = planKeys.resources().count();
        if (ready.length != undedicated.length) {
            ready = new int[undedicated.length];
            beyond = new int[undedicated.length];
            withheld = new int[undedicated.length];
        }
        withholding.andNot(positions);
        for (int at = positions.nextSetBit(0); at >= 0; at = positions.nextSetBit(at + 1)) {
            System.arraycopy(undedicated, at * count, ready, at * count, count);
            Arrays.fill(beyond, at * count, (at + 1) * count, 0);
            Arrays.fill(withheld, at * count, (at + 1) * count, 0);
            judge(at, NodeResources.PROCS, ResourceKind.PROC);
            judge(at, NodeResources.MEMORY, ResourceKind.MEM);
            judge(at, NodeResources.SWAP, ResourceKind.SWAP);
            judge(at, NodeResources.DISK, ResourceKind.DISK);
        }
        open.andNot(positions);
        int size = ready.length / count;
        open.clear(size, Math.max(size, open.length()));
        withholding.clear(size, Math.max(size, withholding.length()));
    }

    private void judge(int position, int resource, ResourceKind kind) {
        int at = position * count + resource;
        int undedicated = ready[at];
        ready[at] = (int) Math.min(Integer.MAX_VALUE / 4, placement.ready(position, kind));
        beyond[at] = Math.max(0, ready[at] - Math.max(0, undedicated));
        beyond[at] = undedicated < 0 ? ready[at] - undedicated : beyond[at];
        withheld[at] = Math.max(0, undedicated - ready[at]);
        if (withheld[at] > 0) {
            withholding.set(position);
        }
    }

    /** Lets jobs start on the node at {@code position} when it has a processor left; false when it is busy anyway. */
    boolean admit(int position) {
        if (placement.busy(position)) {
            return false;
        }
        if (procsOf(position) > 0) {
            open.set(position);
        }
        return true;
    }

    /** Returns what may be given, by node and resource; to be read. */
    int[] amounts() {
        return ready;
    }

    /** Returns the nodes of which less may be given now than running jobs leave; to be read. */
    BitSet withholding() {
        return withholding;
    }

    /** Returns how much less may be given of {@code resource} of the node at {@code position} than running jobs leave. */
    int withheld(int position, int resource) {
        return withheld[position * count + resource];
    }

    /** Returns the nodes on which a job may start and that have a processor left; to be read. */
    BitSet open() {
        return open;
    }

    /** Takes {@code times} times {@code amounts} from the node at {@code position}; a negative number gives back. */
    void take(int position, int[] amounts, int times) {
        for (int r = 0; r < count; r++) {
            ready[position * count + r] -= amounts[r] * times;
        }
        if (procsOf(position) <= 0) {
            open.clear(position);
        } else if (!placement.busy(position)) {
            open.set(position);
        }
    }

    /** Returns how many tasks may start on the node at {@code position} now, when {@code line} leaves them that during [from, to). */
    int tasks(TaskNeed need, int position, ResourceTimeline line, int from, int to) {
        int row = position * count;
        int best = need.most();
        for (int r = 0; r < count && best > 0; r++) {
            if (need.takes(r)) {
                int amount = Math.min(ready[row + r], line.least(r, from, to) + beyond[row + r]);
                best = need.fitting(r, amount, best);
            }
        }
        return best;
    }

    /** Returns how many tasks the node at {@code position} could start at once, whatever comes later. */
    private int tasks(TaskNeed need, int position) {
        int row = position * count;
        int best = need.most();
        for (int r = 0; r < count; r++) {
            if (need.takes(r)) {
                best = need.fitting(r, ready[row + r], best);
            }
        }
        return open.get(position) ? best : 0;
    }

    /**
     * Returns the shares of a job that starts now, where those in buckets lie on nodes that are free now: on those they lie
     * on already as far as these are; empty when there are not enough.
     */
    List<TaskShare> settle(PlanKey planKey, List<TaskShare> shares) {
        if (!buckets.any()) {
            return shares;
        }
        List<TaskShare> found = new ArrayList<>();
        List<TaskShare> moving = new ArrayList<>();
        int[] given = new int[ready.length / count];
        for (TaskShare share : shares) {
            int position = share.position();
            boolean stays = !buckets.inBucket(position)
                    || tasks(planKey.needs[share.requirement()], position) - given[position] >= share.tasks();
            (stays ? found : moving).add(share);
            given[position] += stays ? share.tasks() : 0;
        }
        for (TaskShare share : moving) {
            int missing = share.tasks();
            BitSet bucket = buckets.of(share.position());
            for (int position = bucket.length() - 1;
                    position >= 0 && missing > 0;
                    position = position == 0 ? -1 : bucket.previousSetBit(position - 1)) {
                int free = tasks(planKey.needs[share.requirement()], position) - given[position];
                int tasks = Math.min(missing, free);
                if (tasks > 0) {
                    found.add(new TaskShare(position, share.requirement(), tasks));
                    given[position] += tasks;
                    missing -= tasks;
                }
            }
            if (missing > 0) {
                return List.of();
            }
        }
        return found;
    }

    /** Returns the processors that may be given: of the node at {@code position}, or of the bucket it leads. */
    int procs(int position) {
        BitSet bucket = buckets.bucket(position);
        if (bucket == null) {
            return procsOf(position);
        }
        int sum = 0;
        for (int i = bucket.nextSetBit(0); i >= 0; i = bucket.nextSetBit(i + 1)) {
            sum += open.get(i) ? procsOf(i) : 0;
        }
        return sum;
    }

    /** Returns how many processors of the node at {@code position} may be given beyond those undedicated. */
    int procsBeyond(int position) {
        return beyond[position * count + NodeResources.PROCS];
    }

    private int procsOf(int position) {
        return ready[position * count + NodeResources.PROCS];
    }
}
