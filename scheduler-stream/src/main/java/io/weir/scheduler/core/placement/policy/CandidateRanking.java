package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The candidates of one requirement while nodes are chosen among them: grouped by affinity, in the order of a policy,
 * with the room and the sort key of each. A slot is the index of a candidate; a place is a position in the order. Works
 * on plain arrays that are reused from one choice to the next; owned by the core's thread.
 */
public final class CandidateRanking {
    private static final BitSet NO_NODES = new BitSet();
    private static final int TIERS = NodeAffinity.values().length;

    private final SlotOrder sorter = new SlotOrder();
    private final SlotOrder.Comparison ties = this::compareTies;
    private final TaskDistributor distributor = new TaskDistributor();
    private final int[] tierEnds = new int[TIERS];
    private Candidates candidates;
    private TaskShape shape = TaskShape.of(1);
    private long seed;

    /** How many of the best slots matter; the order of those behind them does not. */
    private int wanted = Integer.MAX_VALUE;

    /** Slots, best first. */
    private int[] order = new int[16];

    /** Copy of {@link #order} for policies that choose a set. */
    private int[] copy = new int[16];

    /** Tasks that each slot can hold. */
    private int[] room = new int[16];

    private double[] keys = new double[16];

    /** Slots the tasks were dealt over: {@link #order} or {@link #copy}. */
    private int[] chosen = order;

    private int chosenLength;

    /** Creates a ranking; {@code none} is an empty list. */
    public CandidateRanking(Candidates none) {
        candidates = none;
    }

    /**
     * Chooses nodes by {@code policy} among {@code of}.
     *
     * @param tasks how the tasks have to lie
     * @param required positions of the nodes each of which has to get some of them
     * @param drawSeed what decides random orders
     * @return the nodes with the tasks of each, best node first; empty when the tasks do not all find a place
     */
    public List<TaskShare> choose(
            NodeAllocationPolicy policy,
            AllocationRequest request,
            Candidates of,
            TaskShape tasks,
            BitSet required,
            long drawSeed) {
        begin(of, tasks, drawSeed);
        if (!require(required)) {
            return List.of();
        }
        group(policy.prepare(request, this));
        int from = 0;
        for (int to : tierEnds) {
            if (to > from && policy.choose(request, this, from, to)) {
                return shares(request.number());
            }
            from = to;
        }
        return List.of();
    }

    /** Returns the positions of {@code of}, best first: by affinity, within the same affinity by {@code policy}. */
    public int[] sorted(Candidates of, NodeSortingPolicy policy) {
        begin(of, TaskShape.of(1), 0);
        group(false);
        int from = 0;
        for (int to : tierEnds) {
            policy.sort(this, from, to);
            from = to;
        }
        int[] positions = new int[of.size()];
        for (int place = 0; place < positions.length; place++) {
            positions[place] = of.position(order[place]);
        }
        return positions;
    }

    private void begin(Candidates of, TaskShape tasks, long drawSeed) {
        candidates = of;
        shape = tasks;
        seed = drawSeed;
        grow(of.size());
        for (int slot = 0; slot < of.size(); slot++) {
            room[slot] = of.tasks(slot);
        }
        chosenLength = 0;
        wanted = Integer.MAX_VALUE;
        require(NO_NODES);
    }

    /** Says which nodes have to get tasks; returns whether all of them are candidates. */
    private boolean require(BitSet positions) {
        if (positions.isEmpty()) {
            distributor.require(NO_NODES);
            return true;
        }
        BitSet slots = new BitSet();
        for (int slot = 0; slot < candidates.size(); slot++) {
            slots.set(slot, positions.get(candidates.position(slot)));
        }
        distributor.require(slots);
        return slots.cardinality() == positions.cardinality();
    }

    /** Says that the slots are only dealt over in their order, so that no more of them matter than there are tasks. */
    void onlyDealt() {
        wanted = shape.takesFirst() && !distributor.requires() ? shape.tasks() : Integer.MAX_VALUE;
    }

    /**
     * Groups the slots by affinity, in index order within a group.
     *
     * @param affinityInKeys whether only required nodes and nodes that need preemption are to be kept apart
     */
    private void group(boolean affinityInKeys) {
        Arrays.fill(tierEnds, 0);
        int size = candidates.size();
        for (int slot = 0; slot < size; slot++) {
            tierEnds[tier(candidates.affinity(slot), affinityInKeys)]++;
        }
        int sum = 0;
        for (int tier = 0; tier < TIERS; tier++) {
            int count = tierEnds[tier];
            tierEnds[tier] = sum;
            sum += count;
        }
        for (int slot = 0; slot < size; slot++) {
            order[tierEnds[tier(candidates.affinity(slot), affinityInKeys)]++] = slot;
        }
    }

    private List<TaskShare> shares(int requirement) {
        List<TaskShare> shares = new ArrayList<>();
        for (int place = 0; place < chosenLength; place++) {
            int tasks = distributor.taken(place);
            if (tasks > 0) {
                shares.add(new TaskShare(candidates.position(chosen[place]), requirement, tasks));
            }
        }
        return shares;
    }

    Candidates candidates() {
        return candidates;
    }

    TaskShape shape() {
        return shape;
    }

    long seed() {
        return seed;
    }

    TaskDistributor distributor() {
        return distributor;
    }

    SlotOrder sorter() {
        return sorter;
    }

    /** Returns the slots in their order; policies may reorder those they were given. */
    int[] order() {
        return order;
    }

    /** Returns the slot at {@code place}. */
    int at(int place) {
        return order[place];
    }

    /** Returns the tasks that each slot can hold; policies may take room away. */
    int[] room() {
        return room;
    }

    /** Returns the sort key of each slot, written by policies. */
    double[] keys() {
        return keys;
    }

    /** Returns the common tie-break: least slack, then highest index. */
    SlotOrder.Comparison ties() {
        return ties;
    }

    /** Sorts as many as matter by a total order. */
    void sort(int from, int to, SlotOrder.Comparison comparison) {
        sorter.sortFirst(order, from, to, wanted, comparison);
    }

    /** Sorts as many as matter by key, highest first, and equal ones by {@link #ties}. */
    void sortByKeys(int from, int to) {
        sorter.sortDescending(order, from, to, wanted, keys, ties);
    }

    void reverse(int from, int to) {
        for (int a = from, b = to - 1; a < b; a++, b--) {
            int slot = order[a];
            order[a] = order[b];
            order[b] = slot;
        }
    }

    /** Deals the tasks over the first {@code to} places in their order; returns whether all found a place. */
    boolean dealInOrder(int to) {
        boolean dealt = distributor.deal(order, 0, to, room, shape);
        if (dealt) {
            chosen = order;
            chosenLength = to;
        }
        return dealt;
    }

    /** Returns a copy of the first {@code to} slots, for {@link #dealt}. */
    int[] copy(int to) {
        System.arraycopy(order, 0, copy, 0, to);
        return copy;
    }

    /**
     * Says that the tasks were dealt over the first {@code length} slots of {@link #copy}.
     *
     * @param length 0 when they were not
     * @return whether they were
     */
    boolean dealt(int length) {
        chosen = copy;
        chosenLength = length;
        return length > 0;
    }

    private int compareTies(int a, int b) {
        int order = Long.compare(candidates.slack(a), candidates.slack(b));
        return order != 0 ? order : Integer.compare(b, a);
    }

    private static int tier(NodeAffinity affinity, boolean affinityInKeys) {
        return switch (affinity) {
            case REQUIRED -> 0;
            case POSITIVE -> 1;
            case NEUTRAL -> affinityInKeys ? 1 : 2;
            case NONE -> affinityInKeys ? 1 : 3;
            case NEGATIVE -> affinityInKeys ? 1 : 4;
            case PREEMPTION -> 5;
        };
    }

    private void grow(int size) {
        if (order.length < size) {
            int length = Math.max(size, 2 * order.length);
            order = new int[length];
            copy = new int[length];
            room = new int[length];
            keys = new double[length];
        }
    }
}
