package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAffinity;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Counts what each set of a family could hold of a requirement at one instant. Reused from one question to the next;
 * owned by the core's thread.
 */
final class SetTally {
    private static final int UNSEEN = Integer.MAX_VALUE;

    private long[] tasks = new long[16];
    private int[] nodes = new int[16];
    private int[] avoided = new int[16];
    private int[] appearance = new int[16];
    private boolean[] based = new boolean[16];
    private long[] tasksOfSpeed = new long[16];
    private int seen;

    /** Counts {@code candidates}, those at positions in {@code without} left out. */
    void count(SetFamily family, Candidates candidates, BitSet without) {
        reset(family);
        SpeedClasses speeds = family.speeds();
        boolean bySpeed = speeds.speeds().length > 0;
        for (int i = 0; i < candidates.size(); i++) {
            int position = candidates.position(i);
            if (without.get(position)) {
                continue;
            }
            int room = candidates.tasks(i);
            boolean avoid = candidates.affinity(i) == NodeAffinity.NEGATIVE;
            int speed = bySpeed ? speeds.speedOf(position) : -1;
            if (speed >= 0) {
                tasksOfSpeed[speed] += room;
            }
            for (int set : family.setsOf(position)) {
                tasks[set] += room;
                nodes[set]++;
                if (avoid) {
                    avoided[set]++;
                }
                if (appearance[set] == UNSEEN) {
                    appearance[set] = seen++;
                }
                if (speed >= 0 && speeds.speeds()[speed] == speeds.base(set)) {
                    based[set] = true;
                }
            }
        }
    }

    /** Returns the tasks the set's nodes hold. */
    long tasks(int set) {
        return tasks[set];
    }

    /** Returns how many of the set's nodes hold a task. */
    int nodes(int set) {
        return nodes[set];
    }

    /** Returns how many of these the job should avoid. */
    int avoided(int set) {
        return avoided[set];
    }

    /** Returns the rank of the set among those seen, by its first node. */
    int appearance(int set) {
        return appearance[set];
    }

    /** Returns whether a node has exactly the base speed of the set. */
    boolean based(int set) {
        return based[set];
    }

    /** Returns the tasks that nodes of the speed at {@code place} hold. */
    long tasksOfSpeed(int place) {
        return tasksOfSpeed[place];
    }

    private void reset(SetFamily family) {
        int sets = family.size();
        if (tasks.length < sets) {
            tasks = new long[sets];
            nodes = new int[sets];
            avoided = new int[sets];
            appearance = new int[sets];
            based = new boolean[sets];
        }
        Arrays.fill(tasks, 0, sets, 0);
        Arrays.fill(nodes, 0, sets, 0);
        Arrays.fill(avoided, 0, sets, 0);
        Arrays.fill(appearance, 0, sets, UNSEEN);
        Arrays.fill(based, 0, sets, false);
        int speeds = family.speeds().speeds().length;
        if (tasksOfSpeed.length < speeds) {
            tasksOfSpeed = new long[speeds];
        }
        Arrays.fill(tasksOfSpeed, 0, speeds, 0);
        seen = 0;
    }
}
