package io.weir.scheduler.core.placement.policy;

import io.weir.scheduler.core.placement.AllocationRequest;
import io.weir.scheduler.core.placement.IndexOrder;

/**
 * Chooses the nodes of a requirement among candidates that could all hold tasks of it: one implementation for each value
 * of NODEALLOCATIONPOLICY. Policies that only sort implement {@link NodeSortingPolicy}.
 *
 * <p>The same candidates, request and seed give the same nodes: ties end with the node index. Implementations are owned
 * by the core's thread and may keep arrays from call to call.
 */
public interface NodeAllocationPolicy {
    /**
     * Prepares the choice, before the candidates are grouped by affinity: may set the sort keys of {@code ranking} and
     * take room away from candidates.
     *
     * @return whether the keys include affinity; then only required nodes and nodes that need preemption are kept apart
     */
    default boolean prepare(AllocationRequest request, CandidateRanking ranking) {
        return false;
    }

    /**
     * Chooses among the first {@code to} candidates in the order of {@code ranking} and deals the tasks over them.
     *
     * @param from first candidate of the affinity group added last; those before it were offered by earlier calls and
     *     come first
     * @return whether all tasks found a place
     */
    boolean choose(AllocationRequest request, CandidateRanking ranking, int from, int to);

    /**
     * Returns the policy that stands in for this one.
     *
     * @param immediate whether the job starts now
     */
    default NodeAllocationPolicy forStart(boolean immediate) {
        return this;
    }

    /** Returns whether a job may start now on the node at {@code position}, whatever room it has. */
    default boolean startsOn(int position) {
        return true;
    }

    /** Returns whether the nodes chosen for a later start depend on neither the moment of the decision nor chance. */
    boolean repeatable();

    /** Returns whether nodes that are configured alike are taken by slack and index alone. */
    default boolean indifferent() {
        return false;
    }

    /** Returns whether any candidates with room for all tasks will do, wherever they lie. */
    default boolean takesAnyNodes() {
        return !consecutive();
    }

    /** Returns whether all tasks of a requirement have to lie on nodes of consecutive indexes. */
    default boolean consecutive() {
        return false;
    }

    /** Returns the order of node indexes in which jobs that start now take idle nodes. */
    default IndexOrder indexOrder() {
        return IndexOrder.NONE;
    }
}
