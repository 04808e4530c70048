package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.job.JobTable;
import io.weir.scheduler.core.node.NodeTable;
import io.weir.scheduler.core.placement.Availability;
import io.weir.scheduler.core.placement.FreeTime;
import io.weir.scheduler.core.placement.history.NodeHistory;
import io.weir.scheduler.core.placement.plugin.PluginAllocation;
import io.weir.scheduler.core.placement.plugin.PluginAllocationDraft;
import io.weir.scheduler.core.placement.plugin.PluginAllocationTable;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node allocation policies of one cluster: the one place where a policy is registered. Owned by the core's thread. */
public final class NodeAllocationPolicies {
    private final NodeSortingPolicy firstAvailable = new FirstAvailablePolicy();
    private final NodeSortingPolicy lastAvailable = new LastAvailablePolicy();
    private final NodeAllocationPolicy minResource = new MinResourcePolicy();
    private final NodeAllocationPolicy contiguous = new ContiguousPolicy();
    private final NodeAllocationPolicy maxBalance = new MaxBalancePolicy();
    private final NodeAllocationPolicy fastest = new FastestPolicy();
    private final NodeAllocationPolicy cpuLoad;
    private final NodeAllocationPolicy priority;
    private final PluginNodeOrder pluginAnswers;
    private long seed;

    /** Creates the policies over the tables of one cluster. */
    public NodeAllocationPolicies(
            NodeTable nodes,
            JobTable jobs,
            Availability availability,
            NodeHistory history,
            FreeTime freeTime,
            PluginAllocationTable pluginAllocations) {
        cpuLoad = new CpuLoadPolicy(availability, minResource);
        priority = new PriorityPolicy(new NodePriorityEvaluator(nodes, jobs, availability, history, freeTime));
        pluginAnswers = new PluginNodeOrder(pluginAllocations);
    }

    /** Starts iteration {@code iteration} under {@code inForce}. */
    public void begin(SitePolicy inForce, long iteration) {
        seed = NodeDraw.seed(inForce.scheduler().randomSeed(), iteration);
        pluginAnswers.begin(inForce);
    }

    /** Returns the policy that {@code choice} names. */
    public NodeAllocationPolicy of(AllocationChoice choice) {
        return switch (choice.kind()) {
            case FIRSTAVAILABLE -> firstAvailable;
            case LASTAVAILABLE -> lastAvailable;
            case PRIORITY -> priority;
            case CPULOAD -> cpuLoad;
            case MINRESOURCE -> minResource;
            case CONTIGUOUS -> contiguous;
            case MAXBALANCE -> maxBalance;
            case FASTEST -> fastest;
            case PLUGIN -> new PluginPolicy(choice.plugin(), pluginAnswers, lastAvailable);
        };
    }

    /** Returns what decides random orders in the iteration under way. */
    public long seed() {
        return seed;
    }

    /** Returns what is wrong with how allocation plug-ins are configured, as found since the last call, sorted. */
    public List<String> drainPluginFailures() {
        return pluginAnswers.drain();
    }

    /** Returns what an allocation plug-in would be asked about {@code key}; null when that was not considered. */
    public @Nullable PluginAllocationDraft draft(PluginAllocation.Key key) {
        return pluginAnswers.draft(key);
    }

    /** Returns what allocation plug-ins would be asked about the jobs considered in the iteration under way. */
    public List<PluginAllocationDraft> drafts() {
        return pluginAnswers.drafts();
    }
}
