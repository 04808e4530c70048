package io.weir.scheduler.core.placement;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.Capacity;
import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.node.NodeUsage;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What nodes have to give at this very moment: what jobs were given, what is measured, or the stricter of both, as the
 * policy of each resource says; load limits included, and what {@link NodeLimits} says besides.
 *
 * <p>Until a measurement that can know of it arrives, a started job counts as load and memory in use to the full amount
 * it was given. Owned by the core's thread.
 */
public final class Availability {
    /** Differences below count as none. */
    private static final double NOTHING = 1e-6;

    private final NodeTable nodes;
    private final JobTable jobs;
    private final GlobalResources global;
    private SitePolicy policy = SitePolicy.DEFAULT;

    /** What started jobs are assumed to use beyond what is measured. */
    private final NodeAmounts assumed = new NodeAmounts();

    /** What earlier requirements of the job now looked at take. */
    private final PromisedTasks promised;

    private final NodeLimits limits;

    private RejectionReason reason = RejectionReason.CPU;

    public Availability(NodeTable nodes, JobTable jobs, GlobalResources global) {
        this.nodes = nodes;
        this.jobs = jobs;
        this.global = global;
        this.promised = new PromisedTasks(nodes);
        this.limits = new NodeLimits(nodes, jobs, promised);
    }

    /** Returns what keeps jobs from nodes besides amounts. */
    public NodeLimits limits() {
        return limits;
    }

    /**
     * Starts an iteration.
     *
     * @param unmeasured jobs that started too late for the measurements at hand
     */
    public void begin(SitePolicy inForce, Iterable<Job> unmeasured) {
        policy = inForce;
        assumed.clear(nodes.size());
        promised.clear();
        global.reset(jobs.active());
        unmeasured.forEach(this::assume);
        limits.begin(inForce);
    }

    /** Says that {@code job} was started in this iteration; it already holds its nodes. */
    public void started(Job job) {
        assume(job);
        global.hold(job);
        limits.look(job);
    }

    /** Keeps {@code tasks} of {@code requirement} at {@code position} from what is available until {@link #settle}. */
    public void promise(int position, Requirement requirement, int tasks) {
        promised.add(position, requirement, tasks);
    }

    /** Returns whether anything is promised. */
    public boolean promises() {
        return !promised.isEmpty();
    }

    /** Forgets all promises. */
    public void settle() {
        if (!promised.isEmpty()) {
            promised.clear();
        }
    }

    /** Returns the one-minute load of the node at {@code position}, raised by what was started since. */
    public double load(int position) {
        Double measured = usage(position).load();
        return (measured == null ? 0 : measured) + assumed.of(position, ResourceKind.PROC);
    }

    /** Returns how many processors of the node at {@code position} its {@link #load} leaves idle; none where that is not positive. */
    public double withoutLoad(int position) {
        return nodes.at(position).configured().procs() - load(position);
    }

    /** Returns how much of {@code resource} the node at {@code position} has to give now. */
    public long available(int position, ResourceKind resource) {
        EffectiveNode node = nodes.at(position);
        long configured = configured(node, resource);
        long dedicated = configured - held(position, resource);
        AvailabilityMeasure measure = node.measure(resource);
        long available = dedicated;
        if (measure != AvailabilityMeasure.DEDICATED) {
            long unused = unused(position, resource, configured);
            available = measure == AvailabilityMeasure.UTILIZED
                    ? unused - promised.of(position, resource)
                    : Math.min(dedicated, unused - promised.of(position, resource));
        }
        if (resource == ResourceKind.PROC
                && node.maxLoad() > 0
                && policy.availability().adjustProcs()) {
            available = Math.min(available, (long) Math.floor(node.maxLoad() + 0.5 - load(position) + NOTHING));
        }
        return Math.max(0, available);
    }

    /** Returns how many tasks of {@code requirement} the node at {@code position} can take for {@code job} now. */
    public int room(int position, Job job, Requirement requirement) {
        EffectiveNode node = nodes.at(position);
        if (!node.accepting() || !node.node().attributes().powered()) {
            return none(RejectionReason.STATE);
        }
        if (overloaded(position, node)) {
            return none(RejectionReason.STATE);
        }
        TaskResources task = requirement.resources();
        long procs = available(position, ResourceKind.PROC);
        if (procs < task.procsOf(1)) {
            return none(RejectionReason.CPU);
        }
        if (memoryFull(position, node)) {
            return none(RejectionReason.MEMORY);
        }
        reason = RejectionReason.CPU;
        long tasks = task.tasksByProcs(procs);
        if (task.memoryOf(1) > 0 && node.configured().memoryMb() > 0) {
            long room = task.tasksByMemory(available(position, ResourceKind.MEM));
            tasks = least(tasks, room, RejectionReason.MEMORY);
        }
        if (tasks > 0) {
            tasks = least(tasks, room(position, ResourceKind.SWAP, task.swapMb()), RejectionReason.MEMORY);
        }
        if (tasks > 0) {
            tasks = least(tasks, room(position, ResourceKind.DISK, task.diskMb()), RejectionReason.DISK);
        }
        if (tasks > 0 && !(task.gres().isEmpty() && task.perNode().gres().isEmpty())) {
            tasks = least(tasks, resources(position, node, task), RejectionReason.FEATURES);
        }
        if (tasks > 0) {
            tasks = least(tasks, limits.tasks(position, node, job, requirement, tasks), RejectionReason.POLICY);
        }
        return (int) Math.min(tasks, Integer.MAX_VALUE);
    }

    /**
     * Returns why the node at {@code position} has no room for {@code tasks} more tasks of {@code requirement} of a job that
     * runs; null when it has. Processors are not looked at. Goes by what jobs hold, not by what is measured or assumed, so
     * that it says the same after a restart; it may be asked before the iteration's pass.
     */
    public @Nullable RejectionReason objection(
            SitePolicy inForce, int position, Job job, Requirement requirement, int tasks) {
        limits.begin(inForce);
        EffectiveNode node = nodes.at(position);
        TaskResources task = requirement.resources();
        if (isShort(position, ResourceKind.MEM, task.memoryOf(tasks))
                || isShort(position, ResourceKind.SWAP, tasks * task.swapMb())) {
            return RejectionReason.MEMORY;
        }
        if (isShort(position, ResourceKind.DISK, tasks * task.diskMb())) {
            return RejectionReason.DISK;
        }
        for (Map.Entry<String, Long> wanted : task.gresOf(tasks).entrySet()) {
            Long own = node.gres().get(wanted.getKey());
            if (own != null && unheld(position, wanted.getKey(), own) < wanted.getValue()) {
                return RejectionReason.FEATURES;
            }
        }
        return limits.tasks(position, node, job, requirement, tasks) < tasks ? RejectionReason.POLICY : null;
    }

    /** Returns whether jobs leave less than {@code wanted} of what the node at {@code position} is known to have. */
    private boolean isShort(int position, ResourceKind resource, long wanted) {
        long configured = configured(nodes.at(position), resource);
        return configured > 0 && configured - held(position, resource) < wanted;
    }

    /** Returns what jobs leave of the {@code own} units of a generic resource on the node at {@code position}. */
    private long unheld(int position, String name, long own) {
        long free = own;
        for (NodeShare share : nodes.sharesAt(position).values()) {
            free -= share.gres().getOrDefault(name, 0L);
        }
        return free;
    }

    /** Returns why the last {@link #room} was no more than it was. */
    public RejectionReason reason() {
        return reason;
    }

    /** Returns the positions where more is assumed to be in use than was measured; not to be written. */
    public BitSet assumed() {
        return assumed.positions();
    }

    /** Returns whether the node at {@code position} takes nothing now for another reason than what jobs were given. */
    public boolean busy(int position) {
        EffectiveNode node = nodes.at(position);
        if (!node.accepting() || !node.node().attributes().powered() || overloaded(position, node)) {
            return true;
        }
        return (undedicated(position) > 0 && available(position, ResourceKind.PROC) <= 0) || memoryFull(position, node);
    }

    private boolean overloaded(int position, EffectiveNode node) {
        return node.maxLoad() > 0 && !policy.availability().adjustProcs() && load(position) >= node.maxLoad() - NOTHING;
    }

    private boolean memoryFull(int position, EffectiveNode node) {
        return node.configured().memoryMb() > 0
                && node.measure(ResourceKind.MEM) != AvailabilityMeasure.DEDICATED
                && unused(position, ResourceKind.MEM, node.configured().memoryMb()) <= 0;
    }

    /** Returns the processors that jobs do not hold on the node at {@code position}. */
    public int undedicated(int position) {
        return Math.max(0, nodes.at(position).configured().procs() - nodes.heldProcsAt(position));
    }

    private int none(RejectionReason why) {
        reason = why;
        return 0;
    }

    /** Returns the lesser of both, at least 0; {@code why} becomes the reason when that is {@code room}. */
    private long least(long tasks, long room, RejectionReason why) {
        if (room >= tasks) {
            return tasks;
        }
        reason = why;
        return Math.max(0, room);
    }

    private long room(int position, ResourceKind resource, long each) {
        return each <= 0 || configured(nodes.at(position), resource) == 0
                ? Integer.MAX_VALUE
                : available(position, resource) / each;
    }

    private long resources(int position, EffectiveNode node, TaskResources task) {
        long tasks = Integer.MAX_VALUE;
        for (String name : task.gresOf(1).keySet()) {
            Long own = node.gres().get(name);
            long free;
            if (own == null) {
                free = global.free(name) - promised.floating(name);
            } else {
                free = unheld(position, name, own) - promised.gresOf(node, name);
            }
            tasks = Math.min(tasks, task.tasksByGres(name, free));
        }
        return tasks;
    }

    private void assume(Job job) {
        List<NodeShare> shares = job.shares();
        int[] positions = job.positions(nodes);
        for (int i = 0; i < positions.length; i++) {
            if (positions[i] >= 0) {
                Capacity held = shares.get(i).held();
                assumed.add(positions[i], held.procs(), held.memoryMb(), held.swapMb(), held.diskMb());
            }
        }
    }

    /** Returns the whole units that measurement leaves, rounded up. */
    private long unused(int position, ResourceKind resource, long configured) {
        NodeUsage usage = usage(position);
        return switch (resource) {
            case PROC -> {
                double rest = configured - load(position);
                yield (long) Math.ceil(rest - NOTHING);
            }
            case MEM -> unused(configured, usage.availableMemoryMb(), assumed.of(position, resource));
            case SWAP -> unused(configured, usage.availableSwapMb(), assumed.of(position, resource));
            case DISK -> unused(configured, usage.availableDiskMb(), assumed.of(position, resource));
        };
    }

    private static long unused(long configured, @Nullable Long available, long assumed) {
        return Math.min(configured, available == null ? configured : available) - assumed;
    }

    private long held(int position, ResourceKind resource) {
        long held = switch (resource) {
            case PROC -> nodes.heldProcsAt(position);
            case MEM -> nodes.heldMemoryAt(position);
            case SWAP -> nodes.heldSwapAt(position);
            case DISK -> nodes.heldDiskAt(position);
        };
        return held + promised.of(position, resource);
    }

    private static long configured(EffectiveNode node, ResourceKind resource) {
        return switch (resource) {
            case PROC -> node.configured().procs();
            case MEM -> node.configured().memoryMb();
            case SWAP -> node.configured().swapMb();
            case DISK -> node.configured().diskMb();
        };
    }

    private NodeUsage usage(int position) {
        return Objects.requireNonNull(nodes.at(position).node().attributes().usage());
    }
}
