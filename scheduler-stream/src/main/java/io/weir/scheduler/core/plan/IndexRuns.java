package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.timeline.StartTimeScan;
import java.util.Arrays;

/**
 * Follows how many tasks the runs of consecutive node indexes hold while a search goes through the instants at which nodes
 * change, so that instants at which no run could hold the job are passed by without looking at any node.
 *
 * <p>A segment tree over the indexes: each part of them knows what it holds in the run at its beginning, in the run at its
 * end, and in its best run. A change takes a step for each level of the tree (Bentley, 1977: maximum sum of consecutive
 * elements by halves). Used for one search at a time; its arrays are kept.
 */
final class IndexRuns implements StartTimeScan.Watch {
    private final NodeTable nodes;

    /** The layout of the nodes that the places are of. */
    private long layout = -1;

    /** Place of the index of a node among all indexes, by position. */
    private int[] placeAt = {};

    /** Whether the index at a place follows the one at the place before without a gap. */
    private boolean[] follows = {};

    /** Number of leaves, a power of two: the parts of part i are 2i and 2i + 1, the leaves begin here. */
    private int leaves = 1;

    private long[] first = {};
    private long[] last = {};
    private long[] best = {};

    /** Whether a part is a single run. */
    private boolean[] whole = {};

    private long wanted;

    /** Whether the parts above the leaves are up to date; they are made together when they are first asked for. */
    private boolean made;

    IndexRuns(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Starts with nothing free: a run has to hold {@code tasks}. */
    void begin(int tasks) {
        if (layout != nodes.layout()) {
            layout = nodes.layout();
            arrange();
        }
        Arrays.fill(best, leaves, 2 * leaves, 0);
        wanted = tasks;
        made = false;
    }

    @Override
    public void changed(int position, int before, int after) {
        int part = leaves + placeAt[position];
        best[part] += after - before;
        if (made) {
            leaf(part);
            for (part /= 2; part > 0; part /= 2) {
                join(part);
            }
        }
    }

    @Override
    public boolean any() {
        if (!made) {
            made = true;
            for (int part = 2 * leaves - 1; part >= leaves; part--) {
                leaf(part);
            }
            for (int part = leaves - 1; part > 0; part--) {
                join(part);
            }
        }
        return best[1] >= wanted;
    }

    private void leaf(int part) {
        first[part] = best[part];
        last[part] = best[part];
        whole[part] = best[part] > 0;
    }

    private void join(int part) {
        int left = 2 * part;
        int right = left + 1;
        boolean joined = follows[firstPlace(right)];
        first[part] = first[left] + (joined && whole[left] ? first[right] : 0);
        last[part] = last[right] + (joined && whole[right] ? last[left] : 0);
        best[part] = Math.max(Math.max(best[left], best[right]), joined ? last[left] + first[right] : 0);
        whole[part] = joined && whole[left] && whole[right];
    }

    /** Returns the place at which a part begins. */
    private int firstPlace(int part) {
        int height = Integer.numberOfTrailingZeros(leaves) - (31 - Integer.numberOfLeadingZeros(part));
        return (part << height) - leaves;
    }

    private void arrange() {
        int size = nodes.size();
        placeAt = new int[size];
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, size - 1)) * 2);
        follows = new boolean[leaves];
        int place = 0;
        for (int position = 1; position < size; position++) {
            int step = nodes.at(position).index() - nodes.at(position - 1).index();
            if (step > 0) {
                place++;
                follows[place] = step == 1;
            }
            placeAt[position] = place;
        }
        first = new long[2 * leaves];
        last = new long[2 * leaves];
        best = new long[2 * leaves];
        whole = new boolean[2 * leaves];
    }
}
