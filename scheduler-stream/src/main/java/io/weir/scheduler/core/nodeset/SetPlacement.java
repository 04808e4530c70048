package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Places the tasks of one requirement inside the sets of a family at one instant: tries the usable sets from the best on
 * until the tasks can lie in one as the job wants them to. Used once.
 */
final class SetPlacement {
    private static final BitSet NO_NODES = new BitSet();

    private final SetFamily family;
    private final SetTally tally;
    private final NodeSetRules rules;
    private final Candidates candidates;
    private final TaskPlacer placer;

    /** Whether tasks lie on as many nodes as are asked for; else several of their groups may share a node. */
    private final boolean exactNode;

    SetPlacement(
            SetFamily family,
            SetTally tally,
            NodeSetRules rules,
            Candidates candidates,
            TaskPlacer placer,
            boolean exactNode) {
        this.family = family;
        this.tally = tally;
        this.rules = rules;
        this.candidates = candidates;
        this.placer = placer;
        this.exactNode = exactNode;
    }

    /** Returns the candidates at positions in {@code members}. */
    static Candidates within(Candidates candidates, BitSet members) {
        return within(candidates, members, NO_NODES);
    }

    /** Places {@code tasks} on nodes that are in any set. */
    List<TaskShare> inUnion(int tasks, int wanted) {
        return among(within(candidates, family.union()), tasks, wanted);
    }

    /** Places {@code tasks} in the best set that can take them. */
    List<TaskShare> inOne(int tasks, int wanted, boolean sharedMemory) {
        tally.count(family, candidates, NO_NODES);
        SetRanking ranking = SetRanking.of(rules, family, tally, tasks, sharedMemory);
        BitSet tried = new BitSet();
        for (int set = best(ranking, tasks, wanted, tried); set >= 0; set = best(ranking, tasks, wanted, tried)) {
            List<TaskShare> placed = inside(set, ranking, NO_NODES, tasks, wanted);
            if (!placed.isEmpty()) {
                return placed;
            }
            tried.set(set);
        }
        return List.of();
    }

    /** Places the same part of {@code tasks} in each of as few sets as will do, at least two. */
    List<TaskShare> evenly(int tasks, int wanted, boolean sharedMemory) {
        for (int count = 2; count <= Math.min(tasks, family.size()); count++) {
            if (tasks % count == 0 && wanted % count == 0) {
                List<TaskShare> placed = spread(count, tasks / count, wanted / count, sharedMemory);
                if (!placed.isEmpty()) {
                    return placed;
                }
            }
        }
        return List.of();
    }

    /** Puts {@code tasks} tasks into each of {@code count} sets, the best first; a node serves one of them. */
    private List<TaskShare> spread(int count, int tasks, int wanted, boolean sharedMemory) {
        tally.count(family, candidates, NO_NODES);
        SetRanking ranking = SetRanking.of(rules, family, tally, tasks, sharedMemory);
        if (usable(tasks, wanted) < count) {
            return List.of();
        }
        List<TaskShare> all = new ArrayList<>();
        BitSet tried = new BitSet();
        BitSet claimed = new BitSet();
        for (int done = 0; done < count; ) {
            int set = best(ranking, tasks, wanted, tried);
            if (set < 0) {
                return List.of();
            }
            tried.set(set);
            List<TaskShare> placed = inside(set, ranking, claimed, tasks, wanted);
            if (!placed.isEmpty()) {
                all.addAll(placed);
                done++;
                if (!family.disjoint()) {
                    claimed.or(family.members(set));
                    tally.count(family, candidates, claimed);
                }
            }
        }
        return all;
    }

    private List<TaskShare> inside(int set, SetRanking ranking, BitSet without, int tasks, int wanted) {
        Candidates inside = within(candidates, family.members(set), without);
        return ranking.fastestFirst() ? onFastest(inside, tasks, wanted) : among(inside, tasks, wanted);
    }

    /**
     * Fills the nodes of each speed, fastest first, before any of the next. Where a number of nodes is asked for, the
     * slowest speeds that are not needed are left out instead.
     */
    private List<TaskShare> onFastest(Candidates inside, int tasks, int wanted) {
        List<TaskShare> all = new ArrayList<>();
        BitSet fastest = new BitSet();
        int missing = tasks;
        SpeedClasses speeds = family.speeds();
        for (int place = speeds.speeds().length - 1; place >= 0 && missing > 0; place--) {
            BitSet speed = new BitSet();
            for (int i = 0; i < inside.size(); i++) {
                speed.set(inside.position(i), speeds.speedOf(inside.position(i)) == place);
            }
            if (speed.isEmpty()) {
                continue;
            }
            fastest.or(speed);
            List<TaskShare> placed;
            if (wanted > 0) {
                placed = among(within(inside, fastest), tasks, wanted);
                if (!placed.isEmpty()) {
                    return placed;
                }
            } else {
                Candidates equal = within(inside, speed);
                int share = (int) Math.min(missing, equal.totalTasks());
                placed = placer.place(equal, share, 0);
                if (placed.isEmpty()) {
                    return among(inside, tasks, wanted);
                }
                all.addAll(placed);
                missing -= share;
            }
        }
        return missing == 0 ? all : List.of();
    }

    private List<TaskShare> among(Candidates nodes, int tasks, int wanted) {
        return nodes.totalTasks() < tasks || nodes.size() < least(wanted)
                ? List.of()
                : placer.place(nodes, tasks, wanted);
    }

    private int best(SetRanking ranking, int tasks, int wanted, BitSet tried) {
        int best = -1;
        for (int set = 0; set < family.size(); set++) {
            if (usable(set, tasks, wanted) && !tried.get(set) && (best < 0 || ranking.better(set, best))) {
                best = set;
            }
        }
        return best;
    }

    private int usable(int tasks, int wanted) {
        int count = 0;
        for (int set = 0; set < family.size(); set++) {
            count += usable(set, tasks, wanted) ? 1 : 0;
        }
        return count;
    }

    private boolean usable(int set, int tasks, int wanted) {
        return tally.tasks(set) >= tasks
                && tally.nodes(set) >= least(wanted)
                && (!family.growsFromBase() || tally.based(set));
    }

    /** Returns how many nodes have to have room where {@code wanted} are asked for. */
    private int least(int wanted) {
        return exactNode ? wanted : 0;
    }

    private static Candidates within(Candidates candidates, BitSet members, BitSet without) {
        int[] chosen = new int[candidates.size()];
        int count = 0;
        for (int i = 0; i < chosen.length; i++) {
            int position = candidates.position(i);
            if (members.get(position) && !without.get(position)) {
                chosen[count++] = i;
            }
        }
        return candidates.only(Arrays.copyOf(chosen, count));
    }
}
