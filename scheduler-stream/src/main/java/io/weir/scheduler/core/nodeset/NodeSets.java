package io.weir.scheduler.core.nodeset;

import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.node.PartitionConfig;
import io.weir.scheduler.core.policy.nodeset.NodeSetAttribute;
import io.weir.scheduler.core.policy.nodeset.NodeSetPolicy;
import io.weir.scheduler.core.policy.nodeset.NodeSetPriority;
import io.weir.scheduler.core.policy.nodeset.NodeSetRequest;
import io.weir.scheduler.core.policy.nodeset.NodeSetSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps jobs inside node sets: finds the rules of a job and places its tasks among the candidates. What a set can hold is
 * counted anew for each instant; its members are found once for a layout of the nodes. A question takes time in
 * proportion to the sets and the candidates. Owned by the core's thread.
 */
public final class NodeSets {
    /** Families kept; beyond that all are forgotten. */
    private static final int KEPT = 1_000;

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

    /** Applies {@code inForce} from now on. */
    public void configure(SitePolicy inForce) {
        policy = inForce;
        rules.clear();
        layout = -1;
    }

    /**
     * Returns the rules {@code request} is placed by; null when node sets do not concern it. They never concern tasks that ask
     * for nodes by name.
     */
    public @Nullable NodeSetRules rules(JobRequest request) {
        return rules(request, request.extension().place().nodeSet());
    }

    /** Returns the rules {@code request} is placed by when it says {@code own}; null when there are none. */
    public @Nullable NodeSetRules rules(JobRequest request, NodeSetRequest own) {
        if (request.requirements().stream()
                .noneMatch(requirement -> request.hosts(requirement).isEmpty())) {
            return null;
        }
        RulesKey key = new RulesKey(request.credentials().jobClass(), own);
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
            @Nullable NodeSetRules by, SetUse use, Candidates candidates, Requirement requirement, TaskPlacer placer) {
        Integer asked = requirement.nodes();
        int wanted = asked == null ? 0 : asked;
        if (by == null || use == SetUse.NONE) {
            return placer.place(candidates, requirement.tasks(), wanted);
        }
        SetFamily family = family(by);
        boolean exactNode = policy.allocation().exactNode();
        SetPlacement placement = new SetPlacement(family, tally, by, candidates, placer, exactNode);
        if (by.policy() == NodeSetPolicy.ANYOF) {
            return use == SetUse.ONE_SET ? placement.inUnion(requirement.tasks(), wanted) : List.of();
        }
        boolean sharesMemory = sharesMemory(by, candidates);
        return use == SetUse.ONE_SET
                ? placement.inOne(requirement.tasks(), wanted, sharesMemory)
                : placement.evenly(requirement.tasks(), wanted, sharesMemory);
    }

    /**
     * Returns whether the chosen set would be chosen again after other jobs took nodes: true where sets are taken in a
     * given order, whatever they hold.
     */
    public boolean steady(NodeSetRules by) {
        SetFamily family = family(by);
        return by.policy() == NodeSetPolicy.ANYOF
                || (SetRanking.inForce(by, !sharedMemory.isEmpty()) == NodeSetPriority.FIRSTFIT
                        && !SetTiming.spans(by)
                        && !family.orderedByAppearance()
                        && !family.growsFromBase());
    }

    /** Returns what each set could hold of {@code requirement}, in the order of the sets. */
    public List<SetCapacity> capacities(
            NodeSetRules by, Candidates candidates, Requirement requirement, TaskPlacer placer) {
        Integer asked = requirement.nodes();
        int wanted = asked == null ? 0 : asked;
        SetFamily family = family(by);
        if (by.policy() == NodeSetPolicy.ANYOF) {
            Candidates left = SetPlacement.within(candidates, family.union());
            return List.of(capacity(
                    String.join(",", by.list()), left, left.totalTasks(), requirement.tasks(), wanted, placer));
        }
        List<SetCapacity> all = new ArrayList<>();
        for (int set = 0; set < family.size(); set++) {
            Candidates left = SetPlacement.within(candidates, family.members(set));
            all.add(capacity(family.name(set), left, left.totalTasks(), requirement.tasks(), wanted, placer));
        }
        return all;
    }

    /**
     * Returns the set that holds all {@code shares} of {@code request}, the first in their order when several do, or the
     * sets over which they are spread evenly; empty when its rules were not applied. Shares of tasks that ask for nodes by
     * name do not count.
     */
    public List<String> applied(JobRequest request, List<TaskShare> shares) {
        NodeSetRules by = shares.isEmpty() ? null : rules(request);
        if (by == null || by.policy() == NodeSetPolicy.ANYOF) {
            return List.of();
        }
        SetFamily family = family(by);
        Map<Integer, Integer> tasksIn = new TreeMap<>();
        int all = 0;
        for (TaskShare share : shares) {
            Requirement requirement = request.requirements().get(share.requirement());
            if (!requirement.demands().hosts().isEmpty()) {
                continue;
            }
            all += share.tasks();
            for (int set : family.setsOf(share.position())) {
                tasksIn.merge(set, share.tasks(), Integer::sum);
            }
        }
        for (Map.Entry<Integer, Integer> set : tasksIn.entrySet()) {
            if (set.getValue() == all) {
                return List.of(family.name(set.getKey()));
            }
        }
        boolean even = SetTiming.spans(by) && family.disjoint() && tasksIn.size() > 1;
        int sum = 0;
        for (int tasks : tasksIn.values()) {
            sum += tasks;
            even &= tasks * tasksIn.size() == all;
        }
        return even && sum == all ? tasksIn.keySet().stream().map(family::name).toList() : List.of();
    }

    /**
     * Returns the positions of the nodes by which a job stays within its sets when one of them takes the place of {@code lost}:
     * those of the sets that hold all its nodes or, where no set does, those of the sets of the lost one.
     *
     * @param lost position of the node that leaves
     * @param others positions of the job's other nodes
     * @return null when node sets do not concern it
     */
    public @Nullable BitSet inPlaceOf(JobRequest request, int lost, BitSet others) {
        NodeSetRules by = rules(request);
        if (by == null) {
            return null;
        }
        SetFamily family = family(by);
        if (by.policy() == NodeSetPolicy.ANYOF) {
            return family.union();
        }
        BitSet ofAll = new BitSet();
        BitSet ofLost = new BitSet();
        for (int set : family.setsOf(lost)) {
            BitSet members = family.members(set);
            BitSet outside = (BitSet) others.clone();
            outside.andNot(members);
            if (outside.isEmpty()) {
                ofAll.or(members);
            }
            ofLost.or(members);
        }
        return ofAll.isEmpty() ? ofLost : ofAll;
    }

    /**
     * Returns a text that says what each set could hold of a requirement and what it lacks, after the rules and their
     * source.
     */
    public String describe(NodeSetRules by, Candidates candidates, Requirement requirement, TaskPlacer placer) {
        StringBuilder text = new StringBuilder(by.text())
                .append(" (")
                .append(by.sources().spec().name().toLowerCase(Locale.ROOT))
                .append(by.optional() ? ", optional)" : ")");
        String separator = ": ";
        for (SetCapacity set : capacities(by, candidates, requirement, placer)) {
            text.append(separator).append(set.text(requirement.tasks()));
            separator = "; ";
        }
        return text.toString();
    }

    /** Returns the positions of the nodes in sets that could hold all of a requirement. */
    public BitSet usable(NodeSetRules by, Candidates candidates, Requirement requirement, TaskPlacer placer) {
        SetFamily family = family(by);
        List<SetCapacity> sets = capacities(by, candidates, requirement, placer);
        BitSet usable = new BitSet();
        for (int set = 0; set < sets.size(); set++) {
            if (sets.get(set).usable()) {
                usable.or(by.policy() == NodeSetPolicy.ANYOF ? family.union() : family.members(set));
            }
        }
        return usable;
    }

    private SetCapacity capacity(String name, Candidates left, long room, int tasks, int wanted, TaskPlacer placer) {
        SetCapacity.Shortfall shortfall = SetCapacity.Shortfall.NONE;
        if (left.size() == 0) {
            shortfall = SetCapacity.Shortfall.EMPTY;
        } else if (room < tasks) {
            shortfall = SetCapacity.Shortfall.TASKS;
        } else if (policy.allocation().exactNode() && left.size() < wanted) {
            shortfall = SetCapacity.Shortfall.NODES;
        } else if (placer.place(left, tasks, wanted).isEmpty()) {
            shortfall = SetCapacity.Shortfall.SHAPE;
        }
        return new SetCapacity(name, room, left.size(), shortfall);
    }

    /** Returns whether MINLOSS counts idle processors of shared-memory machines instead of speed. */
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

    /** Returns the sets that {@code by} forms. */
    SetFamily family(NodeSetRules by) {
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

    /** Returns a family without sets. */
    SetFamily noFamily() {
        return new SetFamily(new NodeTable(), new SetFamily.Key(NodeSetAttribute.FEATURE, List.of(), 0));
    }

    private void findSharedMemory() {
        sharedMemory.clear();
        if (policy.partitions().values().stream().noneMatch(PartitionConfig::sharedMemory)) {
            return;
        }
        for (int position = 0; position < nodes.size(); position++) {
            String partition = nodes.at(position).partition();
            sharedMemory.set(position, policy.partition(partition).sharedMemory());
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
