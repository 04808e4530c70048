package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.NodeConfig;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.priority.ClusterCapacity;
import io.weir.scheduler.core.priority.Micros;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a job from a node that has the resources: class initiators, the node's task limit, caps on jobs and
 * processors, and with whom it would share the node. Owned by the core's thread.
 */
public final class NodeLimits {
    private final NodeTable nodes;
    private final JobTable jobs;

    /** What earlier requirements of the job now looked at take. */
    private final PromisedTasks promised;

    private SitePolicy policy = SitePolicy.DEFAULT;

    /** Whether any policy or active job keeps others from a node. */
    private boolean restrictive;

    /** Whether the policy by itself keeps anybody from a node. */
    private boolean restrictivePolicy;

    /** Whether a class says with whom its jobs share nodes. */
    private boolean restrictiveClasses;

    /** Whether the nodes have caps besides their amounts. */
    private boolean capped;

    /** Whether nodes cap processor equivalents. */
    private boolean equivalentsCapped;

    /** What processor equivalents are counted by; nothing unless a node caps them. */
    private ClusterCapacity cluster = ClusterCapacity.NONE;

    /** Whether it matters to whom a job belongs: to the policy, or to a job that is active. */
    private boolean personal;

    private boolean personalPolicy;

    NodeLimits(NodeTable nodes, JobTable jobs, PromisedTasks promised) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.promised = promised;
    }

    /** Starts an iteration under {@code inForce}. */
    @SuppressWarnings("ReferenceEquality")
    void begin(SitePolicy inForce) {
        if (inForce != policy) {
            configure(inForce);
        }
        policy = inForce;
        cluster = equivalentsCapped ? ClusterCapacity.of(nodes) : ClusterCapacity.NONE;
        restrictive = restrictivePolicy;
        personal = personalPolicy || anyPersonal(jobs.sharingWishes());
        if (restrictiveClasses || jobs.choosy() > 0) {
            for (Job job : jobs.active()) {
                look(job);
            }
        }
    }

    private static boolean anyPersonal(Collection<String> wishes) {
        for (String wish : wishes) {
            if (NodeAccess.personal(wish)) {
                return true;
            }
        }
        return false;
    }

    private void configure(SitePolicy inForce) {
        restrictivePolicy = restrictivePolicy(inForce);
        restrictiveClasses = inForce.classes().values().stream()
                .anyMatch(config -> config.access() != null || config.forcedAccess() != null);
        personalPolicy = personalPolicy(inForce);
        capped = inForce.availability().adjustProcs()
                || inForce.nodes().values().stream().anyMatch(NodeConfig::capped);
        equivalentsCapped = inForce.nodes().values().stream().anyMatch(config -> config.maxPe() != null);
    }

    /**
     * Returns how many tasks of {@code requirement} of {@code job} the jobs on the node at {@code position} that may be there
     * at {@code start} admit, and the caps of the node beside them.
     *
     * @param planned what jobs that wait are to hold there while {@code job} would run
     */
    public int admitted(int position, Job job, Requirement requirement, long start, List<PlannedShare> planned) {
        EffectiveNode node = nodes.at(position);
        NodeAccessPolicy mine = NodeAccess.policy(policy, job, node);
        for (String id : nodes.sharesAt(position).keySet()) {
            Job other = jobs.get(id);
            if (other != null
                    && !id.equals(job.id())
                    && other.plannedEnd() > start
                    && !NodeAccess.together(job, mine, other, NodeAccess.policy(policy, other, node))) {
                return 0;
            }
        }
        for (PlannedShare other : planned) {
            if (!NodeAccess.together(job, mine, other.job(), NodeAccess.policy(policy, other.job(), node))) {
                return 0;
            }
        }
        if (!capped || !node.isCapped()) {
            return Integer.MAX_VALUE;
        }
        long tasks = caps(position, node, job, requirement, start, planned);
        for (int i = 0; i < planned.size() && tasks > 0; i++) {
            long begins = planned.get(i).from();
            if (begins > start) {
                tasks = Math.min(tasks, caps(position, node, job, requirement, begins, planned));
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, tasks);
    }

    /** Returns whether it matters to whom a job belongs, or how many are on a node. */
    public boolean personal() {
        return personal || capped;
    }

    /** Returns how many of the {@code wanted} tasks class initiators, task limit, caps and node access leave. */
    long tasks(int position, EffectiveNode node, Job job, Requirement requirement, long wanted) {
        long tasks = wanted;
        Integer mostTasks = node.node().attributes().maxTasks();
        if (mostTasks != null) {
            tasks = Math.min(tasks, mostTasks - tasksAt(position, null) - promised.tasksAt(position));
        }
        String jobClass = job.request().jobClass(requirement);
        if (jobClass != null && !node.classes().isEmpty()) {
            tasks = Math.min(tasks, initiators(position, node, job, requirement, jobClass));
        }
        if (tasks > 0 && capped && node.isCapped()) {
            tasks = Math.min(tasks, caps(position, node, job, requirement, Long.MIN_VALUE, List.of()));
        }
        if (job.request().options().nodeAccess() != null) {
            look(job);
        }
        if (tasks > 0 && restrictive) {
            tasks = Math.min(tasks, access(position, node, job));
        }
        return tasks;
    }

    /**
     * Returns how many tasks the class leaves, or that of the classes the job may run in besides which leaves most; any number
     * where the node has none of them.
     */
    private long initiators(int position, EffectiveNode node, Job job, Requirement requirement, String jobClass) {
        Long left = initiators(position, node, job, jobClass);
        if (requirement.demands().classes().isEmpty()) {
            for (String other : job.request().options().otherClasses()) {
                Long more = initiators(position, node, job, other);
                left = left == null || (more != null && more > left) ? more : left;
            }
        }
        return left == null ? Long.MAX_VALUE : left;
    }

    private @Nullable Long initiators(int position, EffectiveNode node, Job job, String jobClass) {
        Long initiators = node.classes().get(jobClass);
        return initiators == null
                ? null
                : initiators - tasksAt(position, jobClass) - promised.tasksIn(jobClass, position, job.request());
    }

    /** Returns the tasks on the node at {@code position} that count in {@code jobClass}; all of them for null. */
    private long tasksAt(int position, @Nullable String jobClass) {
        long tasks = 0;
        for (Map.Entry<String, NodeShare> entry : nodes.sharesAt(position).entrySet()) {
            Job other = jobs.get(entry.getKey());
            if (jobClass == null) {
                tasks += Math.max(1, entry.getValue().tasks());
            } else if (other != null) {
                tasks += entry.getValue()
                        .tasksIn(jobClass, other.request().credentials().jobClass());
            }
        }
        return tasks;
    }

    /**
     * Returns the tasks that the caps of a node leave beside the jobs there that may last beyond {@code instant}, and those
     * of {@code planned} that are there then.
     */
    private long caps(
            int position,
            EffectiveNode node,
            Job job,
            Requirement requirement,
            long instant,
            List<PlannedShare> planned) {
        String user = job.request().credentials().user();
        int held = 0;
        int mine = 0;
        long procs = promised.of(position, ResourceKind.PROC);
        long myProcs = procs;
        long equivalents = 0;
        for (Map.Entry<String, NodeShare> entry : nodes.sharesAt(position).entrySet()) {
            if (entry.getKey().equals(job.id())) {
                continue;
            }
            Job other = jobs.get(entry.getKey());
            if (other != null && other.plannedEnd() <= instant) {
                continue;
            }
            boolean same = other != null && isOf(user, other);
            held++;
            procs += entry.getValue().procs();
            mine += same ? 1 : 0;
            myProcs += same ? entry.getValue().procs() : 0;
            equivalents += cluster.processorEquivalents(entry.getValue().held());
        }
        for (PlannedShare other : planned) {
            if (other.at(instant)) {
                boolean same = isOf(user, other.job());
                held++;
                procs += other.held().procs();
                mine += same ? 1 : 0;
                myProcs += same ? other.held().procs() : 0;
                equivalents += cluster.processorEquivalents(other.held());
            }
        }
        Integer maxJobs = node.optional(NodeConfig::maxJobs);
        Integer maxMine = node.optional(NodeConfig::maxJobsPerUser);
        if ((maxJobs != null && held >= maxJobs) || (maxMine != null && mine >= maxMine)) {
            return 0;
        }
        TaskResources task = requirement.resources();
        long tasks = task.tasksByProcs(node.procsWithinLoad() - promised.of(position, ResourceKind.PROC));
        Integer maxProcs = node.optional(NodeConfig::maxProcs);
        if (maxProcs != null) {
            tasks = Math.min(tasks, task.tasksByProcs(maxProcs - procs));
        }
        Integer maxMyProcs = node.optional(NodeConfig::maxProcsPerUser);
        if (maxMyProcs != null) {
            tasks = Math.min(tasks, task.tasksByProcs(maxMyProcs - myProcs));
        }
        Double maxPe = node.optional(NodeConfig::maxPe);
        if (maxPe != null) {
            Capacity left = cluster.within(Micros.of(maxPe) - equivalents).minus(promised.at(position));
            tasks = Math.min(tasks, task.tasksWithin(left));
        }
        return Math.max(0, tasks);
    }

    private static boolean isOf(@Nullable String user, Job job) {
        return user != null && user.equals(job.request().credentials().user());
    }

    private long access(int position, EffectiveNode node, Job job) {
        NodeAccessPolicy mine = NodeAccess.policy(policy, job, node);
        for (String id : nodes.sharesAt(position).keySet()) {
            Job other = jobs.get(id);
            if (other != null
                    && other != job
                    && !id.equals(job.id())
                    && !NodeAccess.together(job, mine, other, NodeAccess.policy(policy, other, node))) {
                return 0;
            }
        }
        return mine == NodeAccessPolicy.SINGLETASK
                ? (promised.of(position, ResourceKind.PROC) > 0 ? 0 : 1)
                : Integer.MAX_VALUE;
    }

    /** Looks whether {@code job} itself keeps others from its nodes. */
    void look(Job job) {
        NodeAccessPolicy access = NodeAccess.anywhere(policy, job);
        restrictive |= access != null && access != NodeAccessPolicy.SHARED;
        personal |= access != null && NodeAccess.personal(access);
    }

    private static boolean personalPolicy(SitePolicy policy) {
        return NodeAccess.personal(policy.allocation().access())
                || policy.nodes().values().stream()
                        .anyMatch(
                                c -> personal(c.access()) || c.maxJobsPerUser() != null || c.maxProcsPerUser() != null)
                || policy.partitions().values().stream().anyMatch(c -> personal(c.access()))
                || policy.classes().values().stream().anyMatch(c -> personal(c.access()) || personal(c.forcedAccess()));
    }

    private static boolean personal(@Nullable NodeAccessPolicy access) {
        return access != null && NodeAccess.personal(access);
    }

    private static boolean restrictivePolicy(SitePolicy policy) {
        return policy.allocation().access() != NodeAccessPolicy.SHARED
                || policy.nodes().values().stream().anyMatch(c -> restricts(c.access()))
                || policy.partitions().values().stream().anyMatch(c -> restricts(c.access()))
                || policy.classes().values().stream()
                        .anyMatch(c -> restricts(c.access()) || restricts(c.forcedAccess()));
    }

    private static boolean restricts(@Nullable NodeAccessPolicy access) {
        return access != null && access != NodeAccessPolicy.SHARED;
    }
}
