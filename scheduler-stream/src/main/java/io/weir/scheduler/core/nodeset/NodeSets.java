package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.ClassConfig;
import io.weir.scheduler.core.policy.NodeSetAttribute;
import io.weir.scheduler.core.policy.NodeSetPolicy;
import io.weir.scheduler.core.policy.NodeSetPriority;
import io.weir.scheduler.core.policy.NodeSetRequest;
import io.weir.scheduler.core.policy.NodeSetSpec;
import io.weir.scheduler.core.policy.PartitionConfig;
import io.weir.scheduler.core.policy.SitePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs inside node sets: which rules a job is placed by, and where its tasks go among the nodes that could hold
 * them. Sets are judged anew at each instant, by what is feasible then; which nodes they have in common is found once for
 * a layout of the nodes. A question costs the sets and the nodes at hand. Owned by the core's thread.
 */
public final class NodeSets {
    /** Families kept; beyond that all are forgotten. */
    private static final int KEPT = 1_000;

    private static final BitSet NOBODY = new BitSet();

    private final NodeTable nodes;
    private final SetTally tally = new SetTally();
    private final Map<SetFamily.Key, SetFamily> families = new LinkedHashMap<>();
    private final Map<RulesKey, Rules> rules = new LinkedHashMap<>();
    private final BitSet sharedMemory = new BitSet();
    private SitePolicy policy = SitePolicy.DEFAULT;
    private long layout = -1;

    /** Creates the node sets over {@code nodes}. */
    public NodeSets(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Goes by {@code inForce} from now on. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        rules.clear();
        layout = -1;
    }

    /** Returns the rules {@code request} is placed by; null when node sets do not concern it. */
    public @Nullable NodeSetRules rules(JobRequest request) {
        return rules(request, NodeSetRequest.NOTHING);
    }

    /** Returns the rules {@code request} is placed by when it says {@code own}; null when there are none. */
    public @Nullable NodeSetRules rules(JobRequest request, NodeSetRequest own) {
        if (!request.options().hosts().isEmpty()) {
            return null;
        }
        RulesKey key = new RulesKey(request.labels().jobClass(), own);
        Rules known = rules.get(key);
        if (known == null) {
            if (rules.size() >= KEPT) {
                rules.clear();
            }
            known = new Rules(NodeSetRules.of(policy.nodeSets(), ofClass(key.jobClass()), own));
            rules.put(key, known);
        }
        return known.rules();
    }

    /**
     * Returns where the tasks of {@code requirement} go; empty when there is no place for them.
     *
     * @param use how sets are to be used; anything else than NONE needs rules
     * @param candidates what each node could hold at the instant in question
     * @param placer places tasks once the nodes are given
     */
    public List<TaskShare> place(
            @Nullable NodeSetRules by,
            SetUse use,
            Candidates candidates,
            Requirement requirement,
            TaskPlacer placer) {
        Integer asked = requirement.nodes();
        int wanted = asked == null ? 0 : asked;
        if (by == null || use == SetUse.NONE) {
            return placer.place(candidates, requirement.tasks(), wanted);
        }
        SetFamily family = family(by);
        if (by.policy() == NodeSetPolicy.ANYOF) {
            return use == SetUse.ONE_SET
                    ? placeAmong(within(candidates, family.union(), NOBODY), requirement.tasks(), wanted, placer)
                    : List.of();
        }
        return switch (use) {
            case ONE_SET -> placeInOne(by, family, candidates, requirement.tasks(), wanted, placer);
            case EVEN_SPAN -> placeEvenly(by, family, candidates, requirement.tasks(), wanted, placer);
            case NONE -> List.of();
        };
    }

    /** Returns what each set could hold of {@code requirement}, in the order of the sets. */
    public List<SetCapacity> capacities(
            NodeSetRules by, Candidates candidates, Requirement requirement, TaskPlacer placer) {
        Integer asked = requirement.nodes();
        int wanted = asked == null ? 0 : asked;
        SetFamily family = family(by);
        if (by.policy() == NodeSetPolicy.ANYOF) {
            Candidates left = within(candidates, family.union(), NOBODY);
            return List.of(capacity(
                    String.join(",", by.list()), left, left.totalTasks(), requirement.tasks(), wanted, placer));
        }
        List<SetCapacity> all = new ArrayList<>();
        for (int set = 0; set < family.size(); set++) {
            Candidates left = within(candidates, family.members(set), NOBODY);
            all.add(capacity(family.name(set), left, left.totalTasks(), requirement.tasks(), wanted, placer));
        }
        return all;
    }

    /** Returns the names of the sets the node at {@code position} is in by the site's parameters, in their order. */
    public List<String> setsOf(int position) {
        NodeSetRules site = NodeSetRules.of(policy.nodeSets(), null, NodeSetRequest.NOTHING);
        if (site == null) {
            return List.of();
        }
        SetFamily family = family(site);
        List<String> names = new ArrayList<>();
        for (int set : family.setsOf(position)) {
            names.add(family.name(set));
        }
        return names;
    }

    private SetCapacity capacity(
            String name, Candidates left, long room, int tasks, int wanted, TaskPlacer placer) {
        SetCapacity.Shortfall shortfall = SetCapacity.Shortfall.NONE;
        if (left.size() == 0) {
            shortfall = SetCapacity.Shortfall.EMPTY;
        } else if (room < tasks) {
            shortfall = SetCapacity.Shortfall.TASKS;
        } else if (left.size() < wanted) {
            shortfall = SetCapacity.Shortfall.NODES;
        } else if (placer.place(left, tasks, wanted).isEmpty()) {
            shortfall = SetCapacity.Shortfall.SHAPE;
        }
        return new SetCapacity(name, room, left.size(), shortfall);
    }

    private List<TaskShare> placeInOne(
            NodeSetRules by, SetFamily family, Candidates candidates, int tasks, int wanted, TaskPlacer placer) {
        tally.count(family, candidates, NOBODY);
        SetRanking ranking = SetRanking.of(by, family, tally, tasks, sharesMemory(by, candidates));
        BitSet tried = new BitSet();
        for (int set = best(family, ranking, tasks, wanted, tried);
                set >= 0;
                set = best(family, ranking, tasks, wanted, tried)) {
            List<TaskShare> placed =
                    placeInside(family, set, ranking, candidates, NOBODY, tasks, wanted, placer);
            if (!placed.isEmpty()) {
                return placed;
            }
            tried.set(set);
        }
        return List.of();
    }

    private List<TaskShare> placeEvenly(
            NodeSetRules by, SetFamily family, Candidates candidates, int tasks, int wanted, TaskPlacer placer) {
        for (int count = 2; count <= Math.min(tasks, family.size()); count++) {
            if (tasks % count == 0 && wanted % count == 0) {
                List<TaskShare> placed =
                        spread(by, family, candidates, count, tasks / count, wanted / count, placer);
                if (!placed.isEmpty()) {
                    return placed;
                }
            }
        }
        return List.of();
    }

    /** Puts {@code tasks} tasks into each of {@code count} sets, the best first; a node serves one of them. */
    private List<TaskShare> spread(
            NodeSetRules by,
            SetFamily family,
            Candidates candidates,
            int count,
            int tasks,
            int wanted,
            TaskPlacer placer) {
        tally.count(family, candidates, NOBODY);
        SetRanking ranking = SetRanking.of(by, family, tally, tasks, sharesMemory(by, candidates));
        if (usable(family, tasks, wanted) < count) {
            return List.of();
        }
        List<TaskShare> all = new ArrayList<>();
        BitSet tried = new BitSet();
        BitSet claimed = new BitSet();
        for (int done = 0; done < count; ) {
            int set = best(family, ranking, tasks, wanted, tried);
            if (set < 0) {
                return List.of();
            }
            tried.set(set);
            List<TaskShare> placed =
                    placeInside(family, set, ranking, candidates, claimed, tasks, wanted, placer);
            if (placed.isEmpty()) {
                continue;
            }
            all.addAll(placed);
            done++;
            if (!family.disjoint()) {
                claimed.or(family.members(set));
                tally.count(family, candidates, claimed);
            }
        }
        return all;
    }

    private List<TaskShare> placeInside(
            SetFamily family,
            int set,
            SetRanking ranking,
            Candidates candidates,
            BitSet without,
            int tasks,
            int wanted,
            TaskPlacer placer) {
        Candidates inside = within(candidates, family.members(set), without);
        return ranking.fastestFirst()
                ? placeOnFastest(family, inside, tasks, wanted, placer)
                : placeAmong(inside, tasks, wanted, placer);
    }

    private static List<TaskShare> placeAmong(Candidates among, int tasks, int wanted, TaskPlacer placer) {
        return among.totalTasks() < tasks || among.size() < wanted
                ? List.of()
                : placer.place(among, tasks, wanted);
    }

    /**
     * Fills the nodes of each speed, fastest first, before any of the next. Where a number of nodes is asked for, the
     * slowest speeds that are not needed are left out instead.
     */
    private static List<TaskShare> placeOnFastest(
            SetFamily family, Candidates inside, int tasks, int wanted, TaskPlacer placer) {
        List<TaskShare> all = new ArrayList<>();
        BitSet taken = new BitSet();
        int missing = tasks;
        for (int place = family.speeds().length - 1; place >= 0 && missing > 0; place--) {
            BitSet speed = new BitSet();
            for (int i = 0; i < inside.size(); i++) {
                speed.set(inside.position(i), family.speedOf(inside.position(i)) == place);
            }
            if (speed.isEmpty()) {
                continue;
            }
            if (wanted > 0) {
                taken.or(speed);
                List<TaskShare> placed = placeAmong(within(inside, taken, NOBODY), tasks, wanted, placer);
                if (!placed.isEmpty()) {
                    return placed;
                }
                continue;
            }
            Candidates equal = within(inside, speed, NOBODY);
            int share = (int) Math.min(missing, equal.totalTasks());
            List<TaskShare> placed = placer.place(equal, share, 0);
            if (placed.isEmpty()) {
                return placeAmong(inside, tasks, wanted, placer);
            }
            all.addAll(placed);
            missing -= share;
        }
        return missing == 0 ? all : List.of();
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

    private int best(SetFamily family, SetRanking ranking, int tasks, int wanted, BitSet tried) {
        int best = -1;
        for (int set = 0; set < family.size(); set++) {
            if (usable(family, set, tasks, wanted)
                    && !tried.get(set)
                    && (best < 0 || ranking.better(set, best))) {
                best = set;
            }
        }
        return best;
    }

    private int usable(SetFamily family, int tasks, int wanted) {
        int count = 0;
        for (int set = 0; set < family.size(); set++) {
            count += usable(family, set, tasks, wanted) ? 1 : 0;
        }
        return count;
    }

    private boolean usable(SetFamily family, int set, int tasks, int wanted) {
        return tally.tasks(set) >= tasks
                && tally.nodes(set) >= wanted
                && (!family.growsFromBase() || tally.based(set));
    }

    /** Returns whether what MINLOSS counts is processors left idle of a machine, and not speed. */
    private boolean sharesMemory(NodeSetRules by, Candidates candidates) {
        if (by.priority() != NodeSetPriority.MINLOSS
                || by.attribute() != NodeSetAttribute.FEATURE
                || sharedMemory.isEmpty()) {
            return false;
        }
        for (int i = 0; i < candidates.size(); i++) {
            if (!sharedMemory.get(candidates.position(i))) {
                return false;
            }
        }
        return true;
    }

    private SetFamily family(NodeSetRules by) {
        if (layout != nodes.layout()) {
            layout = nodes.layout();
            families.clear();
            findSharedMemory();
        }
        SetFamily.Key key = new SetFamily.Key(by.attribute(), by.list(), by.tolerance());
        SetFamily known = families.get(key);
        if (known != null) {
            return known;
        }
        if (families.size() >= KEPT) {
            families.clear();
        }
        SetFamily made = new SetFamily(nodes, key);
        families.put(key, made);
        return made;
    }

    private void findSharedMemory() {
        sharedMemory.clear();
        if (policy.partitions().values().stream().noneMatch(PartitionConfig::sharedMemory)) {
            return;
        }
        for (int position = 0; position < nodes.size(); position++) {
            String partition = nodes.at(position).partition();
            sharedMemory.set(
                    position,
                    policy.partitions()
                            .getOrDefault(partition, PartitionConfig.NONE)
                            .sharedMemory());
        }
    }

    private @Nullable NodeSetSpec ofClass(@Nullable String jobClass) {
        ClassConfig byDefault = policy.classes().getOrDefault(SitePolicy.DEFAULT_OBJECT, ClassConfig.NONE);
        NodeSetSpec spec = jobClass == null
                ? null
                : policy.classes().getOrDefault(jobClass, byDefault).nodeSet();
        return spec != null ? spec : byDefault.nodeSet();
    }

    /** What the rules of a job depend on. */
    private record RulesKey(@Nullable String jobClass, NodeSetRequest own) {}

    /** Rules found, or that there are none. */
    private record Rules(@Nullable NodeSetRules rules) {}
}
