package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.IndexOrder;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A placement without policy: any node with the resources will do, taken by least slack, then highest index. */
public final class TightestFit implements Placement {
    private static final Capacity NOTHING = new Capacity(0, 0, 0, 0);

    private final NodeTable nodes;

    /** Whether nothing but starts and ends changes what is chosen. */
    public boolean settled = true;

    /** Tells which nodes take nothing now for another reason than their jobs. */
    public long delayed;

    /** Whether a slot chosen now is chosen the same once others have taken of what it leaves. */
    public boolean steady = true;

    /** Whether each job chooses by itself. */
    public boolean personal;

    /** Whether any nodes with room enough will do. */
    public boolean anyNodes = true;

    /** Tasks that idle nodes hold in the way they have to lie, where not any nodes will do. */
    public int mostTogether = Integer.MAX_VALUE;

    /** Whether alike nodes are all the same to every job. */
    public boolean indifferent = true;

    /** What nodes may give now whatever jobs hold of them, by position; of others it is what jobs leave. */
    public final SortedMap<Integer, Capacity> measured = new TreeMap<>();

    /** Tasks that any node admits beside the jobs that may still be there, where each job chooses by itself. */
    public int admitted = Integer.MAX_VALUE;

    /** The same where jobs that wait are to be there too. */
    public int besidePlanned = Integer.MAX_VALUE;

    /** Which those were when that was last asked. */
    public List<PlannedShare> planned = List.of();

    /** Tasks of other requirements of the job, by position. */
    private final SortedMap<Integer, Integer> promised = new TreeMap<>();

    /** For which start that was last asked, epoch seconds. */
    public long admittedFor;

    /** Tasks that any node takes now as its limits allow. */
    public int present = Integer.MAX_VALUE;

    /** What was last chosen among; null for nothing yet. */
    public @Nullable Candidates offered;

    /** For which start that was, epoch seconds, and whether that was now. */
    public long start;

    public boolean immediate;

    /** Nodes assumed to be used for more than was measured. */
    public final BitSet assumed = new BitSet();

    TightestFit(NodeTable nodes) {
        this.nodes = nodes;
    }

    @Override
    public BitSet feasible(Job job, Requirement requirement) {
        BitSet set = new BitSet(nodes.size());
        for (int position = 0; position < nodes.size(); position++) {
            set.set(position, suits(nodes.at(position), job, requirement));
        }
        return set;
    }

    @Override
    public long delayed() {
        return delayed;
    }

    @Override
    public IndexOrder filledFrom(Job job, int position) {
        return IndexOrder.NONE;
    }

    @Override
    public IndexOrder wholeFrom(Job job, int position) {
        return IndexOrder.NONE;
    }

    @Override
    public boolean settled() {
        return settled;
    }

    @Override
    public boolean indifferent(Job job) {
        return indifferent;
    }

    @Override
    public boolean steady(Job job) {
        return steady;
    }

    @Override
    public boolean personal() {
        return personal;
    }

    @Override
    public boolean busy(int position) {
        return !nodes.at(position).node().accepting();
    }

    @Override
    public BitSet assumed() {
        return assumed;
    }

    @Override
    public BitSet required(Requirement requirement) {
        return new BitSet();
    }

    @Override
    public int tasksTogether(Requirement requirement) {
        return 1;
    }

    @Override
    public boolean takesAnyNodes(Job job) {
        return anyNodes;
    }

    @Override
    public boolean consecutive(Job job, int position) {
        return false;
    }

    @Override
    public boolean everHolds(Job job, int number, Requirement requirement, Candidates idle) {
        return Math.min(mostTogether, idle.totalTasks()) >= requirement.tasks();
    }

    @Override
    public int admitted(int position, Job job, Requirement requirement, long at, List<PlannedShare> others) {
        admittedFor = at;
        planned = others;
        int most = others.isEmpty() ? admitted : Math.min(admitted, besidePlanned);
        return most - promised.getOrDefault(position, 0);
    }

    @Override
    public boolean admits(Job job, List<TaskShare> shares) {
        return shares.stream().allMatch(share -> share.tasks() <= admitted);
    }

    @Override
    public void promise(TaskShare share, Requirement requirement) {
        promised.merge(share.position(), share.tasks(), Integer::sum);
    }

    @Override
    public void settle() {
        promised.clear();
    }

    @Override
    public boolean startsOn(Job job, List<TaskShare> shares) {
        return true;
    }

    @Override
    public long ready(int position, ResourceKind resource) {
        Capacity seen = measured.get(position);
        Capacity configured = seen != null ? seen : nodes.at(position).configured();
        Capacity held = seen != null ? NOTHING : nodes.heldAt(position);
        return switch (resource) {
            case PROC -> configured.procs() - held.procs();
            case MEM -> configured.memoryMb() - held.memoryMb();
            case SWAP -> configured.swapMb() - held.swapMb();
            case DISK -> configured.diskMb() - held.diskMb();
        };
    }

    @Override
    public int present(int position, Job job, Requirement requirement) {
        return present;
    }

    @Override
    public List<TaskShare> choose(
            Job job, int requirement, Requirement part, Candidates candidates, long at, boolean now) {
        offered = candidates;
        start = at;
        immediate = now;
        int missing = part.tasks();
        long[] order = new long[candidates.size()];
        for (int i = 0; i < order.length; i++) {
            long slack = Math.min(candidates.slack(i), 0xffff_ffffL);
            order[i] = slack << 31 | (Integer.MAX_VALUE - i);
        }
        Arrays.sort(order);
        List<TaskShare> shares = new ArrayList<>();
        for (NodeAffinity tier : NodeAffinity.values()) {
            for (int i = 0; i < order.length && missing > 0; i++) {
                int candidate = Integer.MAX_VALUE - (int) (order[i] & Integer.MAX_VALUE);
                if (candidates.affinity(candidate) == tier) {
                    int tasks = Math.min(missing, candidates.tasks(candidate));
                    shares.add(new TaskShare(candidates.position(candidate), requirement, tasks));
                    missing -= tasks;
                }
            }
        }
        return missing > 0 ? List.of() : shares;
    }

    private static boolean suits(EffectiveNode node, Job job, Requirement requirement) {
        TaskResources each = requirement.resources();
        NodeDemands demands = requirement.demands();
        Capacity capacity = node.configured();
        List<String> partitions = job.request().options().partitions();
        List<String> hosts = job.request().options().hosts();
        return each.procs() <= capacity.procs()
                && each.memoryMb() <= capacity.memoryMb()
                && each.swapMb() <= capacity.swapMb()
                && each.diskMb() <= capacity.diskMb()
                && node.accepts(job.request().credentials().jobClass())
                && node.features().containsAll(demands.features())
                && (demands.arch() == null || demands.arch().equals(node.arch()))
                && (demands.os() == null || demands.os().equals(node.os()))
                && (demands.network() == null || node.networks().contains(demands.network()))
                && (partitions.isEmpty() || partitions.contains(node.partition()))
                && (hosts.isEmpty() || hosts.contains(node.id()));
    }
}
