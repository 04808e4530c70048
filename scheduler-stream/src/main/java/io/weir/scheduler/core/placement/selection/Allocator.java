package io.weir.scheduler.core.placement.selection;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.Candidates;
import io.weir.scheduler.core.placement.Feasibility;
import io.weir.scheduler.core.placement.PlacementPreferences;
import io.weir.scheduler.core.placement.TaskShape;
import io.weir.scheduler.core.placement.TaskShare;
import io.weir.scheduler.core.placement.policy.CandidateRanking;
import io.weir.scheduler.core.placement.policy.NodeAllocationPolicies;
import io.weir.scheduler.core.placement.policy.NodeAllocationPolicy;
import io.weir.scheduler.core.policy.SitePolicy;
import io.weir.scheduler.core.policy.node.AllocationChoice;
import io.weir.scheduler.core.policy.node.TaskDistribution;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for one requirement of a job among candidates: by affinity first, then by the allocation policy of the
 * job, its partition or the site. Decides nothing about time: the candidates can hold tasks for the whole interval. Owned
 * by the core's thread.
 */
final class Allocator {
    private final NodeAllocationPolicies policies;
    private final Feasibility feasibility;
    private final CandidateRanking ranking;
    private SitePolicy site = SitePolicy.DEFAULT;

    /** Creates an allocator; {@code none} is an empty list of candidates. */
    Allocator(NodeAllocationPolicies policies, Feasibility feasibility, Candidates none) {
        this.policies = policies;
        this.feasibility = feasibility;
        ranking = new CandidateRanking(none);
    }

    /** Starts an iteration. */
    void begin(SitePolicy inForce, long iteration) {
        site = inForce;
        policies.begin(inForce, iteration);
    }

    /**
     * Chooses nodes.
     *
     * @return the nodes with the tasks each gets, best node first; empty when the tasks do not all find a place
     */
    List<TaskShare> allocate(AllocationRequest request, Candidates candidates) {
        if (candidates.size() == 0) {
            return List.of();
        }
        NodeAllocationPolicy policy =
                policy(request.preferences(), candidates.node(0).partition()).forStart(request.immediate());
        TaskShape shape = feasibility.taskShape(request.requirement(), distribution(request.preferences()));
        return ranking.choose(
                policy, request, candidates, shape, feasibility.required(request.requirement()), policies.seed());
    }

    /** Returns whether every policy of the site chooses nodes for later that depend on neither the moment nor chance. */
    boolean repeatable() {
        return all(null, NodeAllocationPolicy::repeatable);
    }

    /** Returns whether {@code choice} chooses nodes for later that depend on neither the moment nor chance. */
    boolean repeatable(AllocationChoice choice) {
        return policies.of(choice).repeatable();
    }

    /** Returns whether {@code wished}, or where that is null each of the site's policies, is indifferent between like nodes. */
    boolean indifferent(@Nullable AllocationChoice wished) {
        return all(wished, NodeAllocationPolicy::indifferent);
    }

    /** Returns whether {@code wished}, or where that is null each of the site's policies, takes any nodes with enough room. */
    boolean takesAnyNodes(@Nullable AllocationChoice wished) {
        return all(wished, NodeAllocationPolicy::takesAnyNodes);
    }

    /** Returns whether {@code idle} nodes would hold {@code request}. */
    boolean everHolds(AllocationRequest request, Candidates idle) {
        boolean anyNodes = idle.size() == 0
                || policy(request.preferences(), idle.node(0).partition()).takesAnyNodes();
        return anyNodes
                ? idle.totalTasks() >= request.requirement().tasks()
                : !allocate(request, idle).isEmpty();
    }

    /** Returns whether the policy for a job of {@code preferences} lets it start now on the node at {@code position} of {@code partition}. */
    boolean startsOn(PlacementPreferences preferences, int position, String partition) {
        return policy(preferences, partition).startsOn(position);
    }

    /** Returns the policy for nodes of {@code partition}: the job's, the partition's, the site's. */
    NodeAllocationPolicy policy(PlacementPreferences preferences, @Nullable String partition) {
        AllocationChoice wished = preferences.policy();
        if (wished == null && partition != null) {
            wished = site.partition(partition).allocation();
        }
        return policies.of(wished != null ? wished : site.allocation().policy());
    }

    /** Returns how the tasks of a job are spread over its nodes: as it says, else as the site does. */
    TaskDistribution distribution(PlacementPreferences preferences) {
        TaskDistribution wished = preferences.distribution();
        return wished != null ? wished : site.allocation().distribution();
    }

    private boolean all(@Nullable AllocationChoice wished, Predicate<NodeAllocationPolicy> condition) {
        if (wished != null) {
            return condition.test(policies.of(wished));
        }
        for (AllocationChoice choice : site.allocationChoices()) {
            if (!condition.test(policies.of(choice))) {
                return false;
            }
        }
        return true;
    }
}
