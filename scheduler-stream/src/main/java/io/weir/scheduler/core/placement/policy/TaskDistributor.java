package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Deals the tasks of one requirement to nodes that stand in order of preference. Works on arrays that are reused from
 * call to call; owned by the core's thread.
 */
final class TaskDistributor {
    private int[] usable = new int[16];
    private int[] taken = new int[16];
    private int[] chosen = new int[16];

    /** Slots each of which has to get tasks. */
    private BitSet required = new BitSet();

    private int requiredCount;

    /** Says which slots have to get tasks in the deals to come; other slots get what these leave. */
    void require(BitSet slots) {
        required = slots;
        requiredCount = slots.cardinality();
    }

    /** Returns whether a slot has to get tasks. */
    boolean requires() {
        return requiredCount > 0;
    }

    /** Returns how many tasks the node at {@code place} of the order got in the last successful deal. */
    int taken(int place) {
        return taken[place];
    }

    /**
     * Deals over {@code order[from..to)}; places are counted from {@code from}.
     *
     * @param order slots of candidates, best first
     * @param room tasks that each slot can hold
     * @return whether all tasks found a place; what each got is then in {@link #taken}
     */
    boolean deal(int[] order, int from, int to, int[] room, TaskShape shape) {
        int count = to - from;
        grow(count);
        long total = 0;
        for (int i = 0; i < count; i++) {
            usable[i] = shape.usable(room[order[from + i]]);
            total += usable[i];
        }
        if (total < shape.tasks()) {
            return false;
        }
        if (!shape.onAnyNumber()) {
            return dealToNumber(order, from, count, shape);
        }
        if (deal(order, from, count, shape, 0)) {
            return true;
        }
        int most = shape.least() <= 1 ? 0 : shape.tasks() / shape.least();
        for (int nodes = Math.max(1, requiredCount); nodes <= most; nodes++) {
            if (deal(order, from, count, shape, nodes)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Deals to as many nodes as may be and are there, and to fewer only when every node has to take more than one task; or to as few as
     * will do, where the shape says so.
     */
    private boolean dealToNumber(int[] order, int from, int count, TaskShape shape) {
        int share = Math.max(shape.group(), Math.min(shape.least(), shape.tasks()));
        int high = Math.max(1, shape.tasks() / share);
        if (shape.count().most() > 0) {
            high = Math.min(high, shape.count().most());
        }
        int usableNodes = 0;
        for (int i = 0; i < count; i++) {
            usableNodes += usable[i] > 0 ? 1 : 0;
        }
        high = Math.min(high, usableNodes);
        int low = Math.max(Math.max(1, shape.count().least()), requiredCount);
        if (shape.onFewest()) {
            return dealToFewest(order, from, count, shape, low, high);
        }
        for (int nodes = high; nodes >= low; nodes--) {
            if (deal(order, from, count, shape, nodes)) {
                return true;
            }
            if (share == 1) {
                // The nodes with most room were among those tried: fewer hold less.
                return false;
            }
        }
        return false;
    }

    private boolean dealToFewest(int[] order, int from, int count, TaskShape shape, int low, int high) {
        for (int nodes = Math.max(low, holding(count, shape.tasks())); nodes <= high; nodes++) {
            if (deal(order, from, count, shape, nodes)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many of the nodes with most room hold {@code tasks}, which all of them together do. */
    private int holding(int count, int tasks) {
        int[] rooms = Arrays.copyOf(usable, count);
        Arrays.sort(rooms);
        int nodes = 0;
        for (long missing = tasks; missing > 0; missing -= rooms[count - nodes]) {
            nodes++;
        }
        return nodes;
    }

    private boolean deal(int[] order, int from, int count, TaskShape shape, int exactNodes) {
        Arrays.fill(taken, 0, count, 0);
        int nodes = choose(order, from, count, shape, exactNodes);
        if (nodes == 0 || nodes < requiredCount) {
            return false;
        }
        switch (shape.distribution()) {
            case DEFAULT, PACK -> fill(nodes, shape, exactNodes > 0);
            case RR, DISPERSE -> dealInTurn(nodes, shape);
        }
        return level(nodes, shape, exactNodes > 0);
    }

    /** Puts the places of the nodes to use into {@link #chosen} and returns how many; 0 when there are not enough. */
    private int choose(int[] order, int from, int count, TaskShape shape, int exactNodes) {
        int limit = switch (shape.distribution()) {
            case DEFAULT, PACK, RR -> Integer.MAX_VALUE;
            case DISPERSE ->
                Math.max(1, shape.tasks() / Math.max(shape.group(), Math.min(shape.least(), shape.tasks())));
        };
        boolean stopEarly = shape.distribution() != TaskDistribution.DISPERSE;
        if (exactNodes > 0) {
            limit = exactNodes;
            stopEarly = false;
        }
        int nodes = 0;
        long sum = 0;
        for (int place = 0; place < count && nodes < requiredCount; place++) {
            if (usable[place] > 0 && required.get(order[from + place])) {
                chosen[nodes++] = place;
                sum += usable[place];
            }
        }
        if (nodes < requiredCount || nodes > limit) {
            return 0;
        }
        int next = 0;
        for (; next < count && nodes < limit && !(stopEarly && sum >= shape.tasks()); next++) {
            if (usable[next] > 0 && !isRequired(order[from + next])) {
                chosen[nodes++] = next;
                sum += usable[next];
            }
        }
        if (exactNodes > 0 && nodes < exactNodes) {
            return 0;
        }
        for (; next < count && sum < shape.tasks() && nodes > requiredCount; next++) {
            if (isRequired(order[from + next])) {
                continue;
            }
            int smallest = nodes - 1;
            for (int i = nodes - 2; i >= requiredCount; i--) {
                if (usable[chosen[i]] < usable[chosen[smallest]]) {
                    smallest = i;
                }
            }
            int out = chosen[smallest];
            if (usable[next] > usable[out]) {
                sum += usable[next] - usable[out];
                System.arraycopy(chosen, smallest + 1, chosen, smallest, nodes - smallest - 1);
                chosen[nodes - 1] = next;
            }
        }
        return sum < shape.tasks() ? 0 : nodes;
    }

    private boolean isRequired(int slot) {
        return requiredCount > 0 && required.get(slot);
    }

    private void fill(int nodes, TaskShape shape, boolean all) {
        int missing = shape.tasks();
        int share = Math.max(shape.group(), shape.least());
        for (int i = 0; i < nodes && missing > 0; i++) {
            int kept = Math.max(0, (all ? nodes : requiredCount) - i - 1) * share;
            int give = Math.min(usable[chosen[i]], Math.max(Math.min(share, missing), missing - kept));
            taken[chosen[i]] = give;
            missing -= give;
        }
    }

    private void dealInTurn(int nodes, TaskShape shape) {
        int missing = shape.tasks();
        while (missing > 0) {
            for (int i = 0; i < nodes && missing > 0; i++) {
                int place = chosen[i];
                int give = Math.min(Math.min(shape.group(), missing), usable[place] - taken[place]);
                taken[place] += give;
                missing -= give;
            }
        }
    }

    /** Moves tasks so that every node used takes the least it has to; returns whether that worked. */
    private boolean level(int nodes, TaskShape shape, boolean all) {
        int dealt = 0;
        for (int i = 0; i < nodes; i++) {
            dealt += taken[chosen[i]];
            if ((all || i < requiredCount) && taken[chosen[i]] == 0) {
                return false;
            }
        }
        if (dealt < shape.tasks()) {
            return false;
        }
        int least = Math.min(shape.least(), shape.tasks());
        if (least <= 1) {
            return true;
        }
        for (int i = 0; i < nodes; i++) {
            int place = chosen[i];
            for (int j = nodes - 1; j >= 0 && taken[place] > 0 && taken[place] < least; j--) {
                int spare = taken[chosen[j]] - least;
                if (spare > 0) {
                    int give = Math.min(spare, least - taken[place]);
                    taken[chosen[j]] -= give;
                    taken[place] += give;
                }
            }
            if (taken[place] > 0 && taken[place] < least) {
                return false;
            }
        }
        return true;
    }

    private void grow(int count) {
        if (usable.length < count) {
            int size = Math.max(count, 2 * usable.length);
            usable = new int[size];
            taken = new int[size];
            chosen = new int[size];
        }
    }
}
