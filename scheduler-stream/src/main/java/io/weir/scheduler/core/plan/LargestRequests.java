package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSetRules;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.nodeset.SetTiming;
import io.weir.scheduler.core.nodeset.SetUse;
import io.weir.scheduler.core.nodeset.TaskPlacer;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Judges whether the nodes, or the node sets, could hold a job if nothing ran and every node was up. */
final class LargestRequests {
    private final NodeTable nodes;
    private final Placement placement;
    private final NodeSets sets;
    private final PlanKeyTable planKeys;

    LargestRequests(NodeTable nodes, Placement placement, NodeSets sets, PlanKeyTable planKeys) {
        this.nodes = nodes;
        this.placement = placement;
        this.sets = sets;
        this.planKeys = planKeys;
    }

    boolean possible(Job job) {
        PlanKey planKey = planKeys.of(job);
        if (job.request().requirements().stream().anyMatch(each -> placement.tasksTogether(each) == 0)) {
            return false;
        }
        if (planKey.needs.length == 1) {
            return planKey.atMost >= job.firstTasks()
                    && (planKey.sets == null || !forbiddenBySets(job))
                    && (placement.takesAnyNodes(job)
                            || planKey.everTogether.computeIfAbsent(
                                    job.firstTasks(), tasks -> together(job, planKey, 0)));
        }
        for (int i = 0; i < planKey.needs.length && !placement.takesAnyNodes(job); i++) {
            if (!together(job, planKey, i)) {
                return false;
            }
        }
        return planKey.atMost > 0 && !forbiddenBySets(job);
    }

    boolean forbiddenBySets(Job job) {
        PlanKey planKey = planKeys.of(job);
        NodeSetRules rules = planKey.sets;
        if (rules == null || rules.optional()) {
            return false;
        }
        List<Requirement> requirements = job.request().requirements();
        for (int i = 0; i < requirements.size(); i++) {
            if (requirements.size() > 1) {
                if (requirements.get(i).demands().hosts().isEmpty() && !everInSets(job, planKey, rules, i)) {
                    return true;
                }
            } else {
                int tasks = requirements.get(0).tasks();
                Boolean known = planKey.everInSets.get(tasks);
                if (known == null) {
                    known = everInSets(job, planKey, rules, 0);
                    planKey.everInSets.put(tasks, known);
                }
                return !known;
            }
        }
        return false;
    }

    /** Returns whether the nodes of a partition could hold a requirement as its allocation policy places it, all idle. */
    private boolean together(Job job, PlanKey planKey, int index) {
        Requirement requirement = job.request().requirements().get(index);
        SortedMap<String, BitSet> partitions = new TreeMap<>();
        BitSet those = placement.feasible(job, requirement);
        for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
            partitions
                    .computeIfAbsent(nodes.at(position).partition(), name -> new BitSet())
                    .set(position);
        }
        return partitions.values().stream()
                .anyMatch(members -> placement.everHolds(job, index, requirement, idle(planKey.needs[index], members)));
    }

    /** Returns whether the sets could hold a requirement when nothing runs and every node is up. */
    private boolean everInSets(Job job, PlanKey planKey, NodeSetRules rules, int index) {
        Requirement requirement = job.request().requirements().get(index);
        Candidates candidates = idle(planKey.needs[index], placement.feasible(job, requirement));
        BitSet required = planKey.required[index];
        TaskPlacer anywhere = (among, tasks, wanted) ->
                holds(among, required) ? List.of(new TaskShare(among.position(0), index, tasks)) : List.of();
        return !sets.place(rules, SetUse.ONE_SET, candidates, requirement, anywhere)
                        .isEmpty()
                || (SetTiming.spans(rules)
                        && !sets.place(rules, SetUse.EVEN_SPAN, candidates, requirement, anywhere)
                                .isEmpty());
    }

    /** Returns whether all nodes at {@code positions} are among {@code candidates}. */
    private static boolean holds(Candidates candidates, BitSet positions) {
        int count = 0;
        for (int i = 0; i < candidates.size(); i++) {
            count += positions.get(candidates.position(i)) ? 1 : 0;
        }
        return count == positions.cardinality();
    }

    /** Returns what the nodes at {@code those} could hold if nothing ran there. */
    private Candidates idle(TaskNeed need, BitSet those) {
        Candidates candidates = new Candidates(nodes, 64);
        for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
            int tasks = planKeys.idleTasks(need, position);
            if (tasks > 0) {
                candidates.add(position, tasks, 0, Candidates.FOREVER, NodeAffinity.NONE);
            }
        }
        return candidates;
    }
}
