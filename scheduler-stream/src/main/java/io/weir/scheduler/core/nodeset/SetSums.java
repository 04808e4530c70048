package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.timeline.StartTimeScan;
import java.util.Arrays;

/**
 * Follows what each set holds while a search goes through the instants at which nodes change, so that instants at which
 * no set could hold the job are passed by without looking at any node. Used for one search at a time; its arrays are
 * kept.
 */
public final class SetSums implements StartTimeScan.Watch {
    private static final int[] UNION = {0};
    private static final int[] NONE = {};

    private final NodeSets sets;
    private long[] tasks = new long[16];
    private int[] nodes = new int[16];
    private SetFamily family;
    private boolean union;
    private long wantedTasks;
    private int wantedNodes;

    /** How many sets hold enough tasks on enough nodes. */
    private int enough;

    /** Creates sums over the sets of {@code sets}. */
    public SetSums(NodeSets sets) {
        this.sets = sets;
        family = sets.noFamily();
    }

    /** Starts with nothing free: a set has to hold {@code count} tasks on at least {@code wanted} nodes. */
    public void begin(NodeSetRules rules, int count, int wanted) {
        family = sets.family(rules);
        union = rules.policy() == NodeSetPolicy.ANYOF;
        wantedTasks = count;
        wantedNodes = wanted;
        enough = 0;
        int size = union ? 1 : family.size();
        if (tasks.length < size) {
            tasks = new long[size];
            nodes = new int[size];
        }
        Arrays.fill(tasks, 0, size, 0);
        Arrays.fill(nodes, 0, size, 0);
    }

    @Override
    public void changed(int position, int before, int after) {
        for (int set : setsOf(position)) {
            if (holds(set)) {
                enough--;
            }
            tasks[set] += after - before;
            nodes[set] += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
            if (holds(set)) {
                enough++;
            }
        }
    }

    @Override
    public boolean any() {
        return enough > 0;
    }

    private int[] setsOf(int position) {
        if (union) {
            return family.union().get(position) ? UNION : NONE;
        }
        return family.setsOf(position);
    }

    private boolean holds(int set) {
        return tasks[set] >= wantedTasks && nodes[set] >= wantedNodes;
    }
}
