package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names nodes for slots in buckets, all at once: in the order of their starts each takes processors that are free by then,
 * on the highest positions. There are always enough, since at no time more are planned than a bucket has. The names depend
 * on the running jobs and the slots alone. Used once.
 */
final class NodeAssigner {
    /** A processor of a node, and when it comes free. */
    private record Lane(long freeAt, int position, int number) {
        static final Comparator<Lane> BY_PLACE =
                Comparator.comparingInt(Lane::position).thenComparingInt(Lane::number);
        static final Comparator<Lane> BY_TIME =
                Comparator.comparingLong(Lane::freeAt).thenComparing(BY_PLACE);
    }

    /** The processors of one bucket. */
    private static final class Lanes {
        final PriorityQueue<Lane> busy = new PriorityQueue<>(Lane.BY_TIME);
        final TreeSet<Lane> free = new TreeSet<>(Lane.BY_PLACE);

        void goOnTo(long instant) {
            while (!busy.isEmpty() && busy.peek().freeAt() <= instant) {
                free.add(busy.remove());
            }
        }
    }

    private final NodeBuckets buckets;
    private final Map<Integer, Lanes> lanes = new TreeMap<>();

    /** Finds what the running jobs, and slots that stay where they are, hold at {@code now}. */
    NodeAssigner(NodeBuckets buckets, NodeTable nodes, JobTable jobs, long now, Collection<Slot> fixed) {
        this.buckets = buckets;
        for (Map.Entry<Integer, BitSet> bucket : buckets.all().entrySet()) {
            Lanes those = new Lanes();
            lanes.put(bucket.getKey(), those);
            bucket.getValue().stream().forEach(position -> {
                int procs = nodes.at(position).configured().procs();
                for (int number = 0; number < procs; number++) {
                    those.free.add(new Lane(now, position, number));
                }
            });
        }
        for (Job job : jobs.active()) {
            long end = Math.max(job.plannedEnd(), now + 1);
            for (NodeShare share : job.shares()) {
                int position = nodes.position(share.nodeId());
                hold(position, share.procs(), end);
            }
        }
        for (Slot slot : fixed) {
            slot.shares().forEach(share -> hold(share.position(), share.tasks(), slot.end()));
        }
    }

    private void hold(int position, int procs, long end) {
        Lanes those = position < 0 ? null : lanes.get(buckets.leader(position));
        for (int i = 0; those != null && i < procs; i++) {
            Lane lane = those.free.floor(new Lane(0, position, Integer.MAX_VALUE));
            if (lane != null && lane.position() == position) {
                those.free.remove(lane);
                those.busy.add(new Lane(end, position, lane.number()));
            }
        }
    }

    /** Returns the slots with names, by the same keys. */
    SortedMap<String, Slot> name(SortedMap<String, Slot> slots) {
        List<Map.Entry<String, Slot>> inOrder = new ArrayList<>(slots.entrySet());
        inOrder.sort(Comparator.comparingLong(entry -> entry.getValue().start()));
        SortedMap<String, Slot> named = new TreeMap<>();
        for (Map.Entry<String, Slot> entry : inOrder) {
            named.put(entry.getKey(), name(entry.getValue()));
        }
        return named;
    }

    private Slot name(Slot slot) {
        List<TaskShare> shares = new ArrayList<>();
        Map<Integer, Map<Integer, Integer>> tasks = new TreeMap<>();
        for (TaskShare share : slot.shares()) {
            if (buckets.inBucket(share.position())) {
                tasks.computeIfAbsent(share.requirement(), r -> new TreeMap<>())
                        .merge(buckets.leader(share.position()), share.tasks(), Integer::sum);
            } else {
                shares.add(share);
            }
        }
        tasks.forEach((requirement, byPool) ->
                byPool.forEach((leader, count) -> take(leader, count, requirement, slot, shares)));
        return slot.on(shares);
    }

    private void take(int leader, int tasks, int requirement, Slot slot, List<TaskShare> shares) {
        Lanes those = lanes.get(leader);
        if (those == null) {
            return;
        }
        those.goOnTo(slot.start());
        int position = -1;
        int here = 0;
        for (int i = 0; i < tasks; i++) {
            Lane lane = those.free.pollLast();
            if (lane == null) {
                throw new IllegalStateException(
                        "more is planned at " + slot.start() + " than the nodes like the one at " + leader + " have");
            }
            those.busy.add(new Lane(slot.end(), lane.position(), lane.number()));
            if (lane.position() != position && here > 0) {
                shares.add(new TaskShare(position, requirement, here));
                here = 0;
            }
            position = lane.position();
            here++;
        }
        if (here > 0) {
            shares.add(new TaskShare(position, requirement, here));
        }
    }
}
