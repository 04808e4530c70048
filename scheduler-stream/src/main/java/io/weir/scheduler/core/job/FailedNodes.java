package io.weir.scheduler.core.job;

import io.weir.scheduler.core.node.NodeShare;
import io.weir.scheduler.core.policy.node.FailureAction;
import io.weir.schemas.JobNodeFailure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that failed under a running job and have not come back, in the order in which they failed; a node of which the
 * resource manager itself relieved the job is among them until it is replaced or back. Immutable.
 *
 * @param list each node once
 */
public record FailedNodes(List<FailedNode> list) {
    /** No node failed. */
    public static final FailedNodes NONE = new FailedNodes(List.of());

    public FailedNodes {
        list = List.copyOf(list);
    }

    static FailedNodes from(List<JobNodeFailure> records) {
        return records.isEmpty()
                ? NONE
                : new FailedNodes(records.stream().map(FailedNode::from).toList());
    }

    List<JobNodeFailure> toRecords() {
        return list.isEmpty()
                ? List.of()
                : list.stream().map(FailedNode::toRecord).toList();
    }

    /** Returns whether no node failed. */
    public boolean isEmpty() {
        return list.isEmpty();
    }

    /** Returns the failure of the node with {@code id}; empty when it did not fail. */
    public Optional<FailedNode> find(String id) {
        return list.stream().filter(node -> node.nodeId().equals(id)).findFirst();
    }

    /** Returns whether some of them are only suspected: their state is known when the poll under way is complete. */
    public boolean uncertain() {
        return !list.isEmpty() && list.stream().anyMatch(node -> !node.confirmed());
    }

    /** Returns the names of the nodes that were seen to be down, in the order in which they failed. */
    public List<String> confirmed() {
        return list.stream()
                .filter(FailedNode::confirmed)
                .map(FailedNode::nodeId)
                .toList();
    }

    /** Returns these and {@code node}, in the place of an earlier failure of it. */
    public FailedNodes with(FailedNode node) {
        if (find(node.nodeId()).isPresent()) {
            return replaced(known -> known.nodeId().equals(node.nodeId()) ? node : known);
        }
        List<FailedNode> more = new ArrayList<>(list);
        more.add(node);
        return new FailedNodes(more);
    }

    /** Returns these without the nodes that {@code gone} accepts. */
    public FailedNodes without(Predicate<FailedNode> gone) {
        if (list.isEmpty() || list.stream().noneMatch(gone)) {
            return this;
        }
        return new FailedNodes(list.stream().filter(gone.negate()).toList());
    }

    /** Returns these with {@code action} as what was done about the nodes of {@code ids}; null takes that back. */
    public FailedNodes answeredBy(@Nullable FailureAction action, Collection<String> ids) {
        Set<String> answered = new TreeSet<>(ids);
        return replaced(node -> answered.contains(node.nodeId()) ? node.answeredBy(action) : node);
    }

    /** Returns these with nothing done about those whose job should have given up its nodes, for that came to nothing. */
    public FailedNodes withdrawn(@Nullable FailureAction instead) {
        return replaced(node -> endsRun(node) ? node.answeredBy(instead) : node);
    }

    /** Returns whether because of one of them the job was ordered to give up all its nodes. */
    public boolean endsRun() {
        return !list.isEmpty() && list.stream().anyMatch(FailedNodes::endsRun);
    }

    /** Returns whether {@code action} was taken because of one of them. */
    public boolean answeredBy(FailureAction action) {
        return list.stream().anyMatch(node -> node.action() == action);
    }

    /** Returns these with nodes ordered in the place of some, by their names. */
    public FailedNodes replacedBy(Map<String, ? extends @Nullable String> replacements) {
        return replaced(node ->
                replacements.containsKey(node.nodeId()) ? node.replacedBy(replacements.get(node.nodeId())) : node);
    }

    /** Returns these with all nodes that were ordered in the place of some as refused. */
    public FailedNodes refusedReplacements() {
        return replaced(FailedNode::refusedReplacement);
    }

    /** Returns those in whose place other nodes were ordered. */
    public List<FailedNode> exchanged() {
        return list.stream().filter(node -> node.replacement() != null).toList();
    }

    private static boolean endsRun(FailedNode node) {
        FailureAction action = node.action();
        return action != null && action.endsRun();
    }

    private FailedNodes replaced(UnaryOperator<FailedNode> by) {
        return new FailedNodes(list.stream().map(by).toList());
    }

    /** Returns what of {@code shares} the job still holds: all, or what of it is on failed nodes when it has to go. */
    List<NodeShare> kept(List<NodeShare> shares) {
        return endsRun()
                ? shares.stream()
                        .filter(share -> find(share.nodeId()).isPresent())
                        .toList()
                : shares;
    }

    /** Returns whether a job keeps the same shares with {@code other}. */
    boolean keepsAs(FailedNodes other) {
        return (!endsRun() && !other.endsRun()) || equals(other);
    }
}
