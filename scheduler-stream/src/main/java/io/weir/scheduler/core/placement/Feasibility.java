package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobRequest;
import io.weir.scheduler.core.job.NodeCount;
import io.weir.scheduler.core.job.NodeDemands;
import io.weir.scheduler.core.job.NodeMinimum;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.job.ClassConfig;
import io.weir.scheduler.core.policy.node.NodeConfig;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes could ever run the tasks of a requirement: class, hosts, partition, features, configured amounts. Answers
 * are kept per shape of request until the nodes or the policy change. Owned by the core's thread.
 */
public final class Feasibility {
    /** Shapes kept; beyond that all are forgotten. */
    private static final int KEPT = 10_000;

    private static final char CHOICE = '|';

    private final NodeTable nodes;
    private final GlobalResources global;
    private final Map<PlacementKey, NodeMatch> matches = new LinkedHashMap<>();

    /** Conditions by their texts, as far as they were read. */
    private final Map<String, NodeCondition> conditions = new LinkedHashMap<>();

    /** Nodes that CLASSCFG HOSTLIST leaves to a class, as far as it was asked. */
    private final Map<String, BitSet> classHosts = new LinkedHashMap<>();

    private final NamedNodes hosts;
    private final NamedNodes excludedByJob;
    private final NamedNodes excludedByRequirement;
    private final NamedNodes required;

    private SitePolicy policy = SitePolicy.DEFAULT;
    private @Nullable AttributeIndex index;
    private long layout = -1;

    /** Nodes compared with requests so far. */
    private long looks;

    public Feasibility(NodeTable nodes, GlobalResources global) {
        this.nodes = nodes;
        this.global = global;
        hosts = new NamedNodes(nodes);
        excludedByJob = new NamedNodes(nodes);
        excludedByRequirement = new NamedNodes(nodes);
        required = new NamedNodes(nodes);
    }

    /** Judges by {@code inForce} from now on. */
    @SuppressWarnings("ReferenceEquality")
    public void configure(SitePolicy inForce) {
        if (inForce != policy
                && (!inForce.allocation().equals(policy.allocation())
                        || !inForce.classes().equals(policy.classes()))) {
            matches.clear();
            classHosts.clear();
        }
        policy = inForce;
    }

    /** Returns the nodes that could run tasks of {@code requirement}; not to be written. */
    public NodeMatch match(Job job, Requirement requirement) {
        AttributeIndex current = index();
        PlacementKey placementKey = shape(job.request(), requirement);
        NodeMatch known = matches.get(placementKey);
        if (known != null) {
            return known;
        }
        if (matches.size() >= KEPT) {
            matches.clear();
        }
        NodeMatch match = match(current, placementKey, current.compute());
        matches.put(placementKey, match);
        return match;
    }

    /** Returns why the node at {@code position} could never run a task of {@code requirement}; null when it could. */
    public @Nullable RejectionReason reason(Job job, Requirement requirement, int position) {
        return reason(shape(job.request(), requirement), position);
    }

    /**
     * Returns why the node at {@code position} could never hold {@code tasks} tasks of {@code requirement} together; null when
     * it could. Which nodes the job named does not count: somebody names this one now.
     */
    public @Nullable RejectionReason reason(Job job, Requirement requirement, int position, int tasks) {
        PlacementKey usual = shape(job.request(), requirement);
        PlacementKey named = new PlacementKey(
                usual.resources(),
                usual.demands(),
                tasks,
                0,
                usual.jobClass(),
                usual.partitions(),
                List.of(),
                usual.excludedHosts(),
                usual.otherClasses());
        return reason(named, position);
    }

    private @Nullable RejectionReason reason(PlacementKey wanted, int position) {
        AttributeIndex current = index();
        PlacementKey single = wanted.ofOneNode();
        BitSet alone = new BitSet();
        alone.set(position, current.compute().get(position));
        Rejections rejections = match(current, single, alone).rejections();
        for (RejectionReason reason : RejectionReason.values()) {
            if (rejections.count(reason) > 0) {
                return reason;
            }
        }
        return rejections.considered() == 0 ? RejectionReason.CPU : null;
    }

    /** Returns how many nodes have been compared with requests so far; one of a kind is compared for all of them. */
    long looks() {
        return looks;
    }

    /** Returns the attributes of the nodes as they are now. */
    public AttributeIndex index() {
        AttributeIndex current = index;
        if (current == null || layout != nodes.layout()) {
            current = new AttributeIndex(nodes);
            index = current;
            layout = nodes.layout();
            matches.clear();
            classHosts.clear();
            hosts.clear();
            excludedByJob.clear();
            excludedByRequirement.clear();
            required.clear();
        }
        return current;
    }

    /** Returns the positions of the nodes each of which has to get tasks of {@code requirement}; not to be written. */
    public BitSet required(Requirement requirement) {
        index();
        return required.of(requirement.demands().requiredHosts());
    }

    /** Returns how the tasks of {@code requirement} have to lie, as far as the requirement and the site say. */
    public TaskShape taskShape(
            Requirement requirement, io.weir.scheduler.core.policy.node.TaskDistribution distribution) {
        Integer asked = requirement.tasksPerNode();
        Integer wanted = requirement.nodes();
        int group = 1;
        int least = 1;
        if (asked != null && requirement.tasksPerNodeAtLeast()) {
            least = Math.max(1, asked);
        } else if (asked != null) {
            group = Math.max(1, asked);
        } else if (wanted != null && wanted > 0 && requirement.tasks() % wanted == 0) {
            group = requirement.tasks() / wanted;
        }
        NodeCount count = requirement.nodeCount();
        if (policy.allocation().exactNode() && wanted != null) {
            count = new NodeCount(wanted, wanted, count.mostTasks());
        }
        return new TaskShape(requirement.tasks(), group, least, count, distribution);
    }

    /** Returns how many tasks a node takes together or not at all; 0 where there are fewer tasks than nodes to use. */
    public int tasksTogether(Requirement requirement) {
        TaskShape tasks = taskShape(requirement, policy.allocation().distribution());
        NodeCount count = tasks.count();
        int named = requirement.demands().requiredHosts().size();
        int groups = (tasks.tasks() + tasks.group() - 1) / tasks.group();
        boolean tooFew = count.least() > tasks.tasks()
                || named > Math.min(groups, tasks.tasks() / Math.min(tasks.least(), tasks.tasks()))
                || (count.most() > 0 && named > count.most());
        return tooFew ? 0 : tasks.together();
    }

    private PlacementKey shape(JobRequest request, Requirement requirement) {
        TaskShape tasks = taskShape(requirement, policy.allocation().distribution());
        List<String> own = requirement.demands().classes();
        return new PlacementKey(
                requirement.resources(),
                requirement.demands(),
                tasks.together(),
                policy.allocation().exactProc() ? requirement.resources().procsOf(tasks.group()) : 0,
                own.isEmpty() ? request.credentials().jobClass() : own.get(0),
                request.options().partitions(),
                request.hosts(requirement),
                request.options().excludedHosts(),
                own.isEmpty() ? request.options().otherClasses() : own.subList(1, own.size()));
    }

    private NodeMatch match(AttributeIndex current, PlacementKey placementKey, BitSet among) {
        Rejections rejections = new Rejections();
        BitSet left = (BitSet) among.clone();
        rejections.consider(left.cardinality());
        ClassConfig jobClass = policy.jobClass(placementKey.jobClass());
        removeByClass(current, placementKey, jobClass, left, rejections);
        NodeDemands demands = placementKey.demands();
        List<NodeCondition> read =
                demands.conditions().stream().map(this::condition).toList();
        removeByAmount(current, placementKey, read, left, rejections, RejectionReason.CPU);
        removeByAmount(current, placementKey, read, left, rejections, RejectionReason.DISK);
        for (String feature : demands.features()) {
            keep(left, anyFeature(feature, current), RejectionReason.FEATURES, rejections);
        }
        for (String feature : jobClass.requiredFeatures()) {
            keep(left, current.feature(feature), RejectionReason.FEATURES, rejections);
        }
        String arch = demands.arch();
        if (arch != null) {
            keep(left, current.arch(arch), RejectionReason.FEATURES, rejections);
        }
        String system = demands.os();
        if (system != null) {
            keep(left, current.system(system), RejectionReason.FEATURES, rejections);
        }
        removeByAmount(current, placementKey, read, left, rejections, RejectionReason.FEATURES);
        removeByAmount(current, placementKey, read, left, rejections, RejectionReason.MEMORY);
        String network = demands.network();
        if (network != null) {
            keep(left, current.network(network), RejectionReason.NETWORK, rejections);
        }
        if (current.limitsTasks()) {
            removeByAmount(current, placementKey, read, left, rejections, RejectionReason.POLICY);
        }
        if (policy.availability().adjustProcs()
                || policy.nodes().values().stream().anyMatch(NodeConfig::capped)) {
            removeByCaps(placementKey, left, rejections);
        }
        if (!placementKey.partitions().isEmpty()) {
            keep(left, union(placementKey.partitions(), current), RejectionReason.POLICY, rejections);
        }
        if (!placementKey.hosts().isEmpty()) {
            keep(left, hosts.of(placementKey.hosts()), RejectionReason.POLICY, rejections);
        }
        remove(left, excludedByJob, placementKey.excludedHosts(), rejections);
        remove(left, excludedByRequirement, demands.excludedHosts(), rejections);
        removeWithoutRequired(left, demands.requiredHosts(), rejections);
        return new NodeMatch(left, rejections, tasksTogether(current, placementKey, left));
    }

    private long tasksTogether(AttributeIndex current, PlacementKey placementKey, BitSet left) {
        List<AttributeIndex.Kind> kinds = current.kinds();
        int procs = Math.max(1, placementKey.resources().procs());
        if (left.cardinality() <= kinds.size()) {
            looks += left.cardinality();
            return left.stream()
                    .mapToLong(position -> nodes.at(position).configured().procs() / procs)
                    .sum();
        }
        looks += kinds.size();
        int[] tasks = new int[kinds.size()];
        for (int kind = 0; kind < tasks.length; kind++) {
            tasks[kind] = nodes.at(kinds.get(kind).first()).configured().procs() / procs;
        }
        long together = 0;
        for (int position = left.nextSetBit(0); position >= 0; position = left.nextSetBit(position + 1)) {
            together += tasks[current.kindAt(position)];
        }
        return together;
    }

    private void removeByClass(
            AttributeIndex current, PlacementKey placementKey, ClassConfig config, BitSet left, Rejections rejections) {
        int before = left.cardinality();
        String jobClass = placementKey.jobClass();
        if (jobClass != null) {
            BitSet any = new BitSet();
            addOfClass(current, jobClass, config, left, any);
            for (String other : placementKey.otherClasses()) {
                addOfClass(current, other, policy.jobClass(other), left, any);
            }
            left.and(any);
        }
        rejections.reject(RejectionReason.CLASS, before - left.cardinality());
    }

    /** Adds to {@code into} the nodes of {@code among} that jobs of {@code jobClass} may use. */
    private void addOfClass(AttributeIndex current, String jobClass, ClassConfig config, BitSet among, BitSet into) {
        if (config.hosts().isEmpty()) {
            current.accepting(jobClass, among, into);
            return;
        }
        BitSet left = (BitSet) among.clone();
        left.and(hosts(jobClass, config));
        current.accepting(jobClass, left, into);
    }

    private NodeCondition condition(String text) {
        NodeCondition known = conditions.get(text);
        if (known == null) {
            if (conditions.size() >= KEPT) {
                conditions.clear();
            }
            known = NodeCondition.read(text);
            conditions.put(text, known);
        }
        return known;
    }

    private BitSet hosts(String jobClass, ClassConfig config) {
        BitSet known = classHosts.get(jobClass);
        if (known != null) {
            return known;
        }
        if (classHosts.size() >= KEPT) {
            classHosts.clear();
        }
        BitSet hosts = new BitSet();
        ClassHosts admitted = new ClassHosts(config);
        looks += nodes.size();
        for (int position = 0; position < nodes.size(); position++) {
            hosts.set(position, admitted.test(nodes.at(position).id()));
        }
        classHosts.put(jobClass, hosts);
        return hosts;
    }

    /** Takes out the nodes whose cap on processors is below what a task takes, or those that stay together. */
    private void removeByCaps(PlacementKey placementKey, BitSet left, Rejections rejections) {
        int removed = 0;
        for (int position = left.nextSetBit(0); position >= 0; position = left.nextSetBit(position + 1)) {
            EffectiveNode node = nodes.at(position);
            Integer jobs = node.optional(NodeConfig::maxJobs);
            Integer jobsOfUser = node.optional(NodeConfig::maxJobsPerUser);
            long procs = Math.max(
                    (long) placementKey.resources().procs() * placementKey.tasksTogether(),
                    placementKey.resources().perNode().procs());
            boolean never = node.procsOfOneJob() < procs
                    || (jobs != null && jobs <= 0)
                    || (jobsOfUser != null && jobsOfUser <= 0);
            if (never) {
                left.clear(position);
                removed++;
            }
        }
        rejections.reject(RejectionReason.POLICY, removed);
    }

    /** Takes out the nodes that have too little: node by node where few are left, else all of a kind at a time. */
    private void removeByAmount(
            AttributeIndex current,
            PlacementKey placementKey,
            List<NodeCondition> all,
            BitSet left,
            Rejections rejections,
            RejectionReason reason) {
        List<NodeCondition> conditions = all.isEmpty()
                ? all
                : all.stream().filter(condition -> condition.reason() == reason).toList();
        int before = left.cardinality();
        if (before <= current.kinds().size()) {
            for (int position = left.nextSetBit(0); position >= 0; position = left.nextSetBit(position + 1)) {
                if (!holds(current, nodes.at(position), placementKey, reason, conditions)) {
                    left.clear(position);
                }
            }
        } else {
            for (AttributeIndex.Kind kind : current.kinds()) {
                if (!holds(current, nodes.at(kind.first()), placementKey, reason, conditions)) {
                    kind.removeFrom(left);
                }
            }
        }
        rejections.reject(reason, before - left.cardinality());
    }

    private boolean holds(
            AttributeIndex current,
            EffectiveNode node,
            PlacementKey placementKey,
            RejectionReason reason,
            List<NodeCondition> conditions) {
        looks++;
        Capacity configured = node.configured();
        TaskResources task = placementKey.resources();
        NodeMinimum least = task.perNode();
        long together = placementKey.tasksTogether();
        for (int i = 0; i < conditions.size(); i++) {
            if (!conditions.get(i).holds(configured)) {
                return false;
            }
        }
        return switch (reason) {
            case CPU ->
                configured.procs() >= Math.max(together * task.procs(), least.procs())
                        && (placementKey.exactProcs() == 0 || configured.procs() == placementKey.exactProcs());
            case DISK -> !current.tracksDisk() || configured.diskMb() >= together * task.diskMb();
            case MEMORY ->
                (!current.tracksMemory()
                                || configured.memoryMb() >= Math.max(together * task.memoryMb(), least.memoryMb()))
                        && (!current.tracksSwap() || configured.swapMb() >= together * task.swapMb());
            case FEATURES ->
                (task.gres().isEmpty() || hasResources(node, task.gres(), together))
                        && (least.gres().isEmpty() || hasResources(node, least.gres(), 1));
            case POLICY -> {
                Integer mostTasks = node.maxTasks();
                yield mostTasks == null || mostTasks >= together;
            }
            case CLASS, NETWORK, STATE, RESERVED, SET -> true;
        };
    }

    private boolean hasResources(EffectiveNode node, SortedMap<String, Long> gres, long together) {
        for (Map.Entry<String, Long> resource : gres.entrySet()) {
            Long own = node.gres().get(resource.getKey());
            long there = own != null ? own : global.configured(resource.getKey());
            if (there < together * resource.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the nodes with a feature; {@code a|b} is a choice. */
    private static BitSet anyFeature(String text, AttributeIndex current) {
        if (text.indexOf(CHOICE) < 0) {
            return current.feature(text);
        }
        BitSet union = new BitSet();
        int from = 0;
        while (from <= text.length()) {
            int bar = text.indexOf(CHOICE, from);
            int end = bar < 0 ? text.length() : bar;
            union.or(current.feature(text.substring(from, end)));
            from = end + 1;
        }
        return union;
    }

    private static BitSet union(List<String> partitions, AttributeIndex current) {
        BitSet union = new BitSet();
        partitions.forEach(name -> union.or(current.partition(name)));
        return union;
    }

    private static void remove(BitSet left, NamedNodes named, List<String> hosts, Rejections rejections) {
        if (!hosts.isEmpty()) {
            int before = left.cardinality();
            left.andNot(named.of(hosts));
            rejections.reject(RejectionReason.POLICY, before - left.cardinality());
        }
    }

    /** Takes out all nodes where one of those that have to get a task is not among them. */
    private void removeWithoutRequired(BitSet left, List<String> names, Rejections rejections) {
        if (names.isEmpty()) {
            return;
        }
        BitSet missing = (BitSet) required.of(names).clone();
        boolean known = missing.cardinality() == names.size();
        missing.andNot(left);
        if (!known || !missing.isEmpty()) {
            rejections.reject(RejectionReason.POLICY, left.cardinality());
            left.clear();
        }
    }

    private static void keep(BitSet left, BitSet those, RejectionReason reason, Rejections rejections) {
        int before = left.cardinality();
        left.and(those);
        rejections.reject(reason, before - left.cardinality());
    }
}
