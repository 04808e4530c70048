package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.job.Requirement;
import io.weir.scheduler.core.job.TaskResources;
import io.weir.scheduler.core.node.NodeStatistics;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Allocation;
import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.Feasibility;
import io.weir.scheduler.core.placement.FreeTime;
import io.weir.scheduler.core.placement.GlobalResources;
import io.weir.scheduler.core.placement.IndexOrder;
import io.weir.scheduler.core.placement.NodeAffinity;
import io.weir.scheduler.core.placement.NodeMatch;
import io.weir.scheduler.core.placement.Placement;
import io.weir.scheduler.core.placement.PlacementPreferences;
import io.weir.scheduler.core.placement.PlannedShare;
import io.weir.scheduler.core.placement.RejectionReason;
import io.weir.scheduler.core.placement.Rejections;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.placement.history.NodeHistory;
import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationDraft;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.placement.policy.NodeAllocationPolicies;
import io.weir.scheduler.core.placement.policy.NodeAllocationPolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.ResourceKind;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes for jobs that may start now: what could run them ever, what has room at present, what reservations leave,
 * and of these the ones the policy puts first. Owned by the core's thread.
 */
public final class NodePlacer implements Placement {
    private final NodeTable nodes;

    private final GlobalResources global;
    private final Feasibility feasibility;
    private final Availability availability;
    private final BusyNodes busyNodes;
    private final NodeAllocationPolicies policies;
    private final Allocator allocator;
    private final PlacementPreferencesReader wishes = new PlacementPreferencesReader();
    private SitePolicy policy = SitePolicy.DEFAULT;
    private long now;

    /** Whether the choice of nodes depends on neither the moment nor chance. */
    private boolean settled = true;

    private long delayed;

    /** Creates a placement over the tables of one cluster. */
    public NodePlacer(
            NodeTable nodes,
            JobTable jobs,
            NodeHistory history,
            FreeTime freeTime,
            PluginAllocationTable pluginAllocations) {
        this.nodes = nodes;
        global = new GlobalResources(nodes);
        feasibility = new Feasibility(nodes, global);
        availability = new Availability(nodes, jobs, global);
        busyNodes = new BusyNodes(nodes, availability);
        policies = new NodeAllocationPolicies(nodes, jobs, availability, history, freeTime, pluginAllocations);
        allocator = new Allocator(policies, feasibility, new Candidates(nodes, 0));
    }

    /**
     * Starts an iteration.
     *
     * @param instant its time, epoch seconds
     * @param iteration its number
     * @param unmeasured jobs that started too late for the measurements at hand
     */
    public void begin(SitePolicy inForce, long instant, long iteration, Iterable<Job> unmeasured) {
        policy = inForce;
        now = instant;
        feasibility.configure(inForce);
        availability.begin(inForce, unmeasured);
        allocator.begin(inForce, iteration);
        settled = allocator.repeatable() && free(availability.assumed());
        busyNodes.follow(inForce);
        delayed = busyNodes.delayed();
    }

    /** Returns whether none of the nodes at {@code positions} takes nothing now for another reason than its jobs. */
    private boolean free(BitSet positions) {
        int size = nodes.size();
        for (int i = positions.nextSetBit(0); i >= 0 && i < size; i = positions.nextSetBit(i + 1)) {
            if (nodes.at(i).plannable() && availability.busy(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a node takes nothing, or took nothing in the pass before, for what is assumed of jobs that started there. */
    public boolean withholding() {
        return !free(availability.assumed());
    }

    /** Returns whether anything measured on a node decides what may start there. */
    public boolean measuring() {
        return nodes.statistics().measuring();
    }

    /** Returns which nodes could ever run what. */
    public Feasibility feasibility() {
        return feasibility;
    }

    /** Returns what nodes have to give at present. */
    public Availability availability() {
        return availability;
    }

    /** Returns what is wrong with how allocation plug-ins are configured, as found since the last call, sorted. */
    public List<String> pluginFailures() {
        return policies.drainPluginFailures();
    }

    /** Returns what an allocation plug-in would be asked about {@code key}; null when that was not considered. */
    public @Nullable PluginAllocationDraft draft(PluginAllocation.Key key) {
        return policies.draft(key);
    }

    /** Returns what allocation plug-ins would be asked about the jobs considered in this iteration. */
    public List<PluginAllocationDraft> drafts() {
        return policies.drafts();
    }

    /** Returns what {@code job} says about the choice of its nodes. */
    public PlacementPreferences wishes(Job job) {
        PlacementPreferences preferences = wishes.of(job.request());
        AllocationChoice choice = preferences.policy();
        settled &= choice == null || allocator.repeatable(choice);
        return preferences;
    }

    /** Says that {@code job} was started in this iteration; it already holds its nodes. */
    public void started(Job job) {
        availability.started(job);
    }

    @Override
    public BitSet feasible(Job job, Requirement requirement) {
        return feasibility.match(job, requirement).nodes();
    }

    @Override
    public BitSet required(Requirement requirement) {
        return feasibility.required(requirement);
    }

    @Override
    public boolean settled() {
        return settled;
    }

    @Override
    public long delayed() {
        return delayed;
    }

    @Override
    public boolean indifferent(Job job) {
        PlacementPreferences preferences = wishes.of(job.request());
        return allocator.indifferent(preferences.policy()) && fills(preferences);
    }

    @Override
    public int tasksTogether(Requirement requirement) {
        return feasibility.tasksTogether(requirement);
    }

    @Override
    public boolean takesAnyNodes(Job job) {
        return allocator.takesAnyNodes(wishes.of(job.request()).policy());
    }

    @Override
    public boolean consecutive(Job job, int position) {
        return allocator
                .policy(wishes.of(job.request()), nodes.at(position).partition())
                .forStart(false)
                .consecutive();
    }

    @Override
    public boolean everHolds(Job job, int number, Requirement requirement, Candidates idle) {
        return allocator.everHolds(
                new AllocationRequest(job, number, requirement, wishes.of(job.request()), now, false), idle);
    }

    @Override
    public boolean steady(Job job) {
        PlacementPreferences preferences = wishes.of(job.request());
        return allocator.takesAnyNodes(preferences.policy()) && fills(preferences);
    }

    /** Returns whether each node is filled before the next. */
    private boolean fills(PlacementPreferences preferences) {
        return allocator.distribution(preferences).fills();
    }

    @Override
    public boolean personal() {
        return availability.limits().personal();
    }

    @Override
    public boolean busy(int position) {
        return busyNodes.contains(position);
    }

    @Override
    public BitSet assumed() {
        return availability.assumed();
    }

    @Override
    public int admitted(int position, Job job, Requirement requirement, long start, List<PlannedShare> planned) {
        return availability.limits().admitted(position, job, requirement, start, planned);
    }

    @Override
    public boolean admits(Job job, List<TaskShare> shares) {
        List<Requirement> requirements = job.request().requirements();
        if (!startsOn(job, shares)) {
            return false;
        }
        try {
            for (TaskShare share : shares) {
                Requirement requirement = requirements.get(share.requirement());
                if (availability.room(share.position(), job, requirement) < share.tasks()) {
                    return false;
                }
                promise(share, requirement);
            }
            return true;
        } finally {
            availability.settle();
        }
    }

    @Override
    public void promise(TaskShare share, Requirement requirement) {
        availability.promise(share.position(), requirement, share.tasks());
    }

    @Override
    public void settle() {
        availability.settle();
    }

    @Override
    public boolean startsOn(Job job, List<TaskShare> shares) {
        PlacementPreferences preferences = wishes.of(job.request());
        for (TaskShare share : shares) {
            int position = share.position();
            if (!allocator.startsOn(preferences, position, nodes.at(position).partition())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long ready(int position, ResourceKind resource) {
        return availability.available(position, resource);
    }

    @Override
    public int present(int position, Job job, Requirement requirement) {
        return availability.room(position, job, requirement);
    }

    @Override
    public List<TaskShare> choose(
            Job job, int requirement, Requirement part, Candidates candidates, long start, boolean immediate) {
        List<TaskShare> chosen = allocator.allocate(
                new AllocationRequest(job, requirement, part, wishes(job), start, immediate), candidates);
        return immediate && lacksFloating(part, chosen) ? List.of() : chosen;
    }

    /** Returns nodes on which {@code job} can start now, all of its requirements in one partition; null when there are none. */
    public @Nullable Allocation place(Job job) {
        List<TaskShare> shares = new ArrayList<>();
        for (BitSet partition : partitions(job)) {
            if (place(job, partition, shares)) {
                return allocation(job, shares);
            }
            shares.clear();
        }
        return null;
    }

    /**
     * Returns the nodes that can take tasks of {@code requirement} at present; reservations are not looked at.
     *
     * @param within nodes to look at; null for all
     * @param rejections where to count the others, and what limits these; null for nowhere
     */
    public Candidates candidates(
            Job job, Requirement requirement, @Nullable BitSet within, @Nullable Rejections rejections) {
        NodeMatch match = feasibility.match(job, requirement);
        if (rejections != null) {
            rejections.copy(match.rejections());
        }
        Candidates candidates = new Candidates(nodes, 16);
        BitSet those = match.nodes();
        NodeStatistics statistics = nodes.statistics();
        boolean onlyOpen = !statistics.overpacking() && (rejections == null || !statistics.loadLimited());
        int looked = 0;
        for (int position = those.nextSetBit(0); position >= 0; position = those.nextSetBit(position + 1)) {
            if (onlyOpen) {
                position = next(those, position);
                if (position < 0) {
                    break;
                }
            }
            if (within != null && !within.get(position)) {
                continue;
            }
            looked++;
            int room = availability.room(position, job, requirement);
            if (room > 0) {
                candidates.add(position, room, now, Candidates.FOREVER, NodeAffinity.NONE);
                if (rejections != null) {
                    rejections.limit(availability.reason(), nodes.jobsAt(position) > 0);
                }
            } else if (rejections != null) {
                rejections.reject(availability.reason(), 1);
            }
        }
        if (onlyOpen && rejections != null) {
            rejectClosed(those, within, looked, rejections);
        }
        return candidates;
    }

    /** Counts the nodes of {@code those} that need not be looked at: they take nothing, or have no free processor. */
    private void rejectClosed(BitSet those, @Nullable BitSet within, int looked, Rejections rejections) {
        BitSet asked = those;
        if (within != null) {
            asked = (BitSet) those.clone();
            asked.and(within);
        }
        int refused = 0;
        BitSet refusing = nodes.statistics().refusing();
        for (int position = refusing.nextSetBit(0); position >= 0; position = refusing.nextSetBit(position + 1)) {
            refused += asked.get(position) && nodes.closed(position) ? 1 : 0;
        }
        rejections.reject(RejectionReason.STATE, refused);
        rejections.reject(RejectionReason.CPU, asked.cardinality() - looked - refused);
    }

    private boolean place(Job job, @Nullable BitSet partition, List<TaskShare> shares) {
        List<Requirement> requirements = job.request().requirements();
        PlacementPreferences preferences = wishes(job);
        IndexOrder order = policy(preferences, partition).indexOrder();
        try {
            for (int i = 0; i < requirements.size(); i++) {
                Requirement requirement = requirements.get(i);
                List<TaskShare> chosen = simple(requirement, preferences, order)
                        ? firstFit(job, i, order, partition)
                        : choose(job, i, preferences, partition);
                if (chosen.isEmpty() || lacksFloating(requirement, chosen)) {
                    return false;
                }
                shares.addAll(chosen);
                if (requirements.size() > 1) {
                    chosen.forEach(share -> promise(share, requirement));
                }
            }
            return true;
        } finally {
            availability.settle();
        }
    }

    private List<TaskShare> choose(Job job, int number, PlacementPreferences preferences, @Nullable BitSet partition) {
        Requirement requirement = job.request().requirements().get(number);
        Candidates candidates = candidates(job, requirement, partition, null);
        return allocator.allocate(new AllocationRequest(job, number, requirement, preferences, now, true), candidates);
    }

    /** Returns whether less is free of the floating resources than all tasks of {@code job} take together. */
    public boolean lacksFloating(Job job) {
        SortedMap<String, Long> asked = new TreeMap<>();
        for (Requirement requirement : job.request().requirements()) {
            requirement
                    .resources()
                    .gres()
                    .forEach((name, each) -> asked.merge(name, each * requirement.tasks(), Long::sum));
        }
        return asked.entrySet().stream()
                .anyMatch(each -> global.configured(each.getKey()) > 0 && global.free(each.getKey()) < each.getValue());
    }

    /**
     * Returns whether less is free now of the floating resources than {@code shares} take together, on nodes that have none of
     * their own. What is free later the plan says.
     */
    private boolean lacksFloating(Requirement requirement, List<TaskShare> shares) {
        TaskResources task = requirement.resources();
        return lacksFloating(task.gres(), shares, TaskShare::tasks)
                || lacksFloating(task.perNode().gres(), shares, share -> 1);
    }

    private boolean lacksFloating(
            SortedMap<String, Long> gres, List<TaskShare> shares, ToLongFunction<TaskShare> times) {
        for (Map.Entry<String, Long> each : gres.entrySet()) {
            String name = each.getKey();
            if (global.configured(name) > 0) {
                long asked = shares.stream()
                        .filter(share -> !nodes.at(share.position()).gres().containsKey(name))
                        .mapToLong(times)
                        .sum();
                if (global.free(name) < each.getValue() * asked) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether the first nodes in the order of their index are taken, each filled before the next. */
    private boolean simple(Requirement requirement, PlacementPreferences preferences, IndexOrder order) {
        TaskShape shape = feasibility.taskShape(requirement, allocator.distribution(preferences));
        return order != IndexOrder.NONE
                && fills(preferences)
                && shape.onAnyNumber()
                && shape.count().mostTasks() == 0
                && shape.least() == 1
                && requirement.demands().requiredHosts().isEmpty();
    }

    @Override
    public IndexOrder filledFrom(Job job, int position) {
        PlacementPreferences preferences = wishes(job);
        IndexOrder order =
                allocator.policy(preferences, nodes.at(position).partition()).indexOrder();
        for (Requirement requirement : job.request().requirements()) {
            if (!simple(requirement, preferences, order)) {
                return IndexOrder.NONE;
            }
        }
        return order;
    }

    @Override
    public IndexOrder wholeFrom(Job job, int position) {
        Requirement requirement = job.request().first();
        PlacementPreferences preferences = wishes(job);
        return job.request().requirements().size() == 1
                        && fills(preferences)
                        && requirement.demands().requiredHosts().isEmpty()
                        && feasibility
                                .taskShape(requirement, allocator.distribution(preferences))
                                .prefersOneNode()
                ? allocator.policy(preferences, nodes.at(position).partition()).indexOrder()
                : IndexOrder.NONE;
    }

    private NodeAllocationPolicy policy(PlacementPreferences preferences, @Nullable BitSet partition) {
        int any = partition == null || partition.isEmpty() ? 0 : partition.nextSetBit(0);
        return allocator.policy(preferences, any < nodes.size() ? nodes.at(any).partition() : null);
    }

    private List<TaskShare> firstFit(Job job, int number, IndexOrder order, @Nullable BitSet partition) {
        Requirement requirement = job.request().requirements().get(number);
        BitSet those = feasibility.match(job, requirement).nodes();
        boolean upwards = order == IndexOrder.ASCENDING;
        TaskShape shape = feasibility.taskShape(requirement, TaskDistribution.PACK);
        List<TaskShare> chosen = new ArrayList<>();
        int missing = requirement.tasks();
        int position = upwards ? next(those, 0) : previous(those, nodes.size() - 1);
        while (position >= 0 && missing > 0) {
            if (partition == null || partition.get(position)) {
                int tasks = Math.min(missing, shape.usable(availability.room(position, job, requirement)));
                if (tasks > 0) {
                    chosen.add(new TaskShare(position, number, tasks));
                    missing -= tasks;
                }
            }
            position = upwards ? next(those, position + 1) : position == 0 ? -1 : previous(those, position - 1);
        }
        return missing > 0 ? List.of() : chosen;
    }

    private int next(BitSet those, int from) {
        if (nodes.statistics().overpacking()) {
            return those.nextSetBit(from);
        }
        int position = nodes.nextOpen(from);
        while (position >= 0 && !those.get(position)) {
            position = nodes.nextOpen(position + 1);
        }
        return position;
    }

    private int previous(BitSet those, int from) {
        if (nodes.statistics().overpacking()) {
            return those.previousSetBit(from);
        }
        int position = nodes.previousOpen(from);
        while (position >= 0 && !those.get(position)) {
            position = position == 0 ? -1 : nodes.previousOpen(position - 1);
        }
        return position;
    }

    /** Returns the partitions to try one after the other; one null when all nodes are in one. */
    private List<@Nullable BitSet> partitions(Job job) {
        var all = feasibility.index().partitions();
        List<@Nullable BitSet> tried = new ArrayList<>();
        if (all.size() <= 1) {
            tried.add(null);
            return tried;
        }
        List<String> asked = job.request().options().partitions();
        all.forEach((name, partition) -> {
            if (asked.isEmpty() || asked.contains(name)) {
                tried.add(partition);
            }
        });
        return tried;
    }

    /** Returns the nodes that {@code shares} are, with the processors taken of each. */
    public Allocation allocation(Job job, List<TaskShare> shares) {
        return new TakenNodes(nodes, job, policy).of(shares);
    }
}
