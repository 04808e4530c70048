package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.nodeset.NodeSets;
import io.weir.scheduler.core.placement.NodeAccess;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.AllocationPolicyKind;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.timeline.NodeSharing;
import io.weir.scheduler.core.timeline.TaskNeed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plan keys of the requests there are, and the resources they are measured in. Valid for one configuration of the nodes
 * and one policy: when either changes, everything is found anew. A job remembers the place of its plan key, so that finding
 * it costs no hashing.
 */
final class PlanKeyTable {
    private static final int MOST_PLAN_KEYS = 50_000;

    private final NodeTable nodes;
    private final Placement placement;
    private final NodeSets sets;
    private final Map<PlanKey.Key, Integer> places = new LinkedHashMap<>();
    private final List<PlanKey> planKeys = new ArrayList<>();

    /** Nodes that would do for some plan keys, which search for starts in the same calendar. */
    private final Map<CandidateGroup.Key, CandidateGroup> groups = new LinkedHashMap<>();

    /** The nodes as they were when the plan keys were found. */
    private EffectiveNode[] seen = new EffectiveNode[0];

    /** Of which layout of the nodes, and after how many of their changes. */
    private long layout = -1;

    private long changes;

    private SitePolicy policy = SitePolicy.DEFAULT;
    private NodeResources resources;
    private NodeKinds kinds;

    /** Counts the times everything was found anew; part of what a job remembers. */
    private long edition = 1;

    PlanKeyTable(NodeTable nodes, Placement placement, NodeSets sets) {
        this.nodes = nodes;
        this.placement = placement;
        this.sets = sets;
        resources = new NodeResources(nodes);
        kinds = new NodeKinds(nodes, resources);
    }

    /** Looks whether nodes or policy changed, and forgets everything if so. */
    void refresh(SitePolicy inForce) {
        boolean same = policy.equals(inForce) && planKeys.size() < MOST_PLAN_KEYS && nodesAreAlike();
        layout = nodes.layout();
        changes = nodes.changes();
        if (same) {
            return;
        }
        policy = inForce;
        seen = new EffectiveNode[nodes.size()];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = nodes.at(i);
        }
        resources = new NodeResources(nodes);
        kinds = new NodeKinds(nodes, resources);
        places.clear();
        planKeys.clear();
        groups.clear();
        edition++;
    }

    /** Returns whether the nodes are to a plan what they were; a node that is, is remembered as it is now. */
    private boolean nodesAreAlike() {
        int size = nodes.size();
        if (seen.length != size) {
            return false;
        }
        BitSet changed = layout == nodes.layout() ? nodes.changedSince(changes) : PlanChanges.all(size);
        for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
            EffectiveNode node = nodes.at(i);
            if (seen[i] != node && !seen[i].planLike(node)) {
                return false;
            }
            seen[i] = node;
        }
        return true;
    }

    /** Returns the resources of the nodes. */
    NodeResources resources() {
        return resources;
    }

    /** Returns a number that changes whenever everything was found anew. */
    long edition() {
        return edition;
    }

    /** Returns the plan key of what {@code job} asks for. */
    PlanKey of(Job job) {
        long mark = job.planMark();
        if (current(mark)) {
            return noted(mark);
        }
        PlanKey.Key key = key(job);
        Integer place = places.get(key);
        if (place == null) {
            place = planKeys.size();
            planKeys.add(planKey(job, key));
            places.put(key, place);
        }
        job.planMark(edition << 32 | place);
        return planKeys.get(place);
    }

    /** Returns the place of the plan key of what {@code job} asks for, after {@link #of}. */
    int place(Job job) {
        return (int) job.planMark();
    }

    /** Returns whether {@code mark} is one that a job got from {@link #of} and that still stands for its plan key. */
    boolean current(long mark) {
        return mark >>> 32 == edition;
    }

    /** Returns the plan key that a current mark stands for. */
    PlanKey noted(long mark) {
        return planKeys.get((int) mark);
    }

    /** Returns with whom a job shares its nodes, by its class or its own preference. */
    NodeSharing sharing(Job job) {
        NodeAccessPolicy access = NodeAccess.anywhere(policy, job);
        if (access == null) {
            return NodeSharing.AS_THE_NODE_SAYS;
        }
        return NodeAccess.exclusive(access) ? NodeSharing.NOBODY : NodeSharing.OTHERS;
    }

    /** Returns the share of the scarcest resource that {@code job} asks for, in thousandths of processors. */
    long milliEquivalents(Job job) {
        long[] asked = new long[resources.count()];
        for (Requirement requirement : job.request().requirements()) {
            TaskResources each = requirement.resources();
            asked[NodeResources.PROCS] += requirement.procs();
            asked[NodeResources.MEMORY] += requirement.memoryMb();
            asked[NodeResources.SWAP] += requirement.tasks() * each.swapMb();
            asked[NodeResources.DISK] += requirement.tasks() * each.diskMb();
        }
        long procs = resources.total(NodeResources.PROCS);
        long most = 0;
        for (int r = 0; r <= NodeResources.DISK; r++) {
            long total = resources.total(r);
            if (total > 0) {
                most = Math.max(most, asked[r] * procs / total * 1000 + asked[r] * procs % total * 1000 / total);
            }
        }
        return most;
    }

    private PlanKey.Key key(Job job) {
        JobRequest request = job.request();
        List<Requirement> requirements = request.requirements();
        int together = 1;
        if (requirements.size() == 1) {
            together = placement.tasksTogether(request.first());
            Requirement only = request.first();
            requirements = List.of(new Requirement(
                    1,
                    only.resources(),
                    only.demands(),
                    only.nodes(),
                    only.tasksPerNode(),
                    only.tasksPerNodeAtLeast(),
                    only.nodeCount()));
        }
        NodeAccessPolicy access = NodeAccess.anywhere(policy, job);
        return new PlanKey.Key(
                requirements,
                together,
                request.credentials().jobClass(),
                request.options().partitions(),
                request.options().hosts(),
                request.options().excludedHosts(),
                request.options().otherClasses(),
                access == null ? null : access.name(),
                sets.rules(request),
                demanding(request.extension().place().allocation()));
    }

    /** Returns the kind of {@code wished} where it may refuse nodes that have room. */
    private static @Nullable AllocationPolicyKind demanding(@Nullable AllocationChoice wished) {
        return wished == null || wished.kind().takesAnyProcessors() ? null : wished.kind();
    }

    private PlanKey planKey(Job job, PlanKey.Key key) {
        JobRequest request = job.request();
        List<Requirement> requirements = request.requirements();
        boolean exactNode = policy.allocation().exactNode();
        NodeSharing sharing = sharing(job);
        boolean single = NodeAccess.anywhere(policy, job) == NodeAccessPolicy.SINGLETASK;
        TaskNeed[] needs = new TaskNeed[requirements.size()];
        int[] distinct = new int[requirements.size()];
        BitSet[] feasible = new BitSet[requirements.size()];
        BitSet[] required = new BitSet[requirements.size()];
        for (int i = 0; i < needs.length; i++) {
            Requirement requirement = requirements.get(i);
            needs[i] = resources.need(requirement, plannedClass(request, requirement), sharing, single, exactNode);
            Integer wanted = requirement.nodes();
            distinct[i] = Math.max(
                    exactNode && wanted != null ? wanted : 0,
                    requirement.nodeCount().least() > 1
                            ? requirement.nodeCount().least()
                            : 0);
            feasible[i] = placement.feasible(job, requirement);
            required[i] = placement.required(requirement);
            distinct[i] = Math.max(distinct[i], required[i].cardinality());
        }
        long atMost = 0;
        List<PlanKey.Part> parts = new ArrayList<>();
        BitSet any = new BitSet();
        for (BitSet set : feasible) {
            any.or(set);
        }
        for (Map.Entry<String, BitSet> partition : kinds.byPartition(any).entrySet()) {
            CandidateGroup[] found = new CandidateGroup[needs.length];
            boolean everywhere = true;
            long times = totals(partition.getValue(), needs[0], single).times(needs, key.requirements());
            for (int i = 0; i < needs.length; i++) {
                BitSet those = (BitSet) feasible[i].clone();
                those.and(partition.getValue());
                if (!contains(those, required[i])) {
                    those.clear();
                }
                int[] tally = kinds.tally(those);
                times = Math.min(
                        times, times(needs[i], key.requirements().get(i).tasks(), distinct[i], tally));
                BitSet plannable = kinds.plannable(those);
                everywhere &= !plannable.isEmpty() && contains(plannable, required[i]);
                found[i] = group(needs[i], plannable, plannable.equals(those) ? tally : kinds.tally(plannable));
            }
            atMost = Math.max(atMost, times);
            if (everywhere) {
                parts.add(new PlanKey.Part(partition.getKey(), List.of(found)));
            }
        }
        return new PlanKey(needs, distinct, required, single, apart(requirements), parts, atMost, key.sets());
    }

    /**
     * Returns the class whose count on the nodes is planned. Which of several classes a node takes tasks in shows at their
     * start: none of their counts is.
     */
    private static @Nullable String plannedClass(JobRequest request, Requirement requirement) {
        boolean anyOfTheJob = requirement.demands().classes().isEmpty()
                && !request.options().otherClasses().isEmpty();
        return anyOfTheJob ? null : request.jobClass(requirement);
    }

    /** Returns the numbers of those requirements, of several, whose tasks share no node with others of the job. */
    private static BitSet apart(List<Requirement> requirements) {
        BitSet apart = new BitSet();
        for (int i = 0; i < requirements.size() && requirements.size() > 1; i++) {
            apart.set(i, requirements.get(i).demands().apart());
        }
        return apart;
    }

    private static boolean contains(BitSet all, BitSet some) {
        BitSet missing = (BitSet) some.clone();
        missing.andNot(all);
        return missing.isEmpty();
    }

    private CandidateGroup group(TaskNeed need, BitSet plannable, int[] tally) {
        CandidateGroup group = new CandidateGroup(plannable, resources.floor(need, kinds.examples(tally)));
        CandidateGroup known = groups.putIfAbsent(group.key(), group);
        return known == null ? group : known;
    }

    /**
     * Returns what {@code those} nodes have together for a job one of whose requirements is of {@code need}.
     *
     * @param single whether the job has one task on a node at most
     */
    private IdleTotals totals(BitSet those, TaskNeed need, boolean single) {
        IdleTotals totals = new IdleTotals(resources);
        int[] tally = kinds.tally(those);
        for (int kind : kinds.counted(tally)) {
            int position = kinds.example(kind);
            totals.add(position, tally[kind], single || takesOneTask(need, position) ? 1 : Integer.MAX_VALUE);
        }
        totals.addFloating();
        return totals;
    }

    /**
     * Returns how often {@code tasks} fit on the nodes that {@code tally} counts when nothing runs there; not once on fewer nodes
     * than {@code distinct}.
     */
    private long times(TaskNeed need, int tasks, int distinct, int[] tally) {
        long sum = 0;
        long used = 0;
        for (int kind : kinds.counted(tally)) {
            int here = idleTasks(need, kinds.example(kind));
            sum += (long) tally[kind] * here;
            used += here > 0 ? tally[kind] : 0;
        }
        return used < distinct ? 0 : sum / tasks;
    }

    /** Returns how many tasks the node at {@code position} holds for one job when nothing else runs there. */
    int idleTasks(TaskNeed need, int position) {
        int tasks = takesOneTask(need, position) ? Math.min(1, need.most()) : need.most();
        for (int r = 0; r < resources.count(); r++) {
            if (need.takes(r)) {
                tasks = need.fitting(r, resources.ofOneJob(r, position), tasks);
            }
        }
        return need.usable(tasks);
    }

    private boolean takesOneTask(TaskNeed need, int position) {
        return need.sharing() == NodeSharing.AS_THE_NODE_SAYS
                && nodes.at(position).access() == NodeAccessPolicy.SINGLETASK;
    }
}
