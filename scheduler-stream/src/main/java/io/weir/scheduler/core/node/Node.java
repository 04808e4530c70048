package io.weir.scheduler.core.node;

import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import io.weir.schemas.NodeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node as its resource manager reports it; immutable. What the site's configuration makes of it is {@link
 * EffectiveNode}; what jobs hold of it is counted by the table.
 *
 * @param id unique in the cluster
 * @param connector connector that reports it; null for a foreign producer
 * @param index place in the order of nodes, stable for the node's lifetime
 * @param state state reported by the resource manager
 * @param failing works, but is suspected of failing
 * @param attributes what else is reported, with the marks of operators on it
 * @param marks what operators attached
 * @param reason text given for the state
 * @param stateSince when the state was entered, epoch seconds
 * @param reportedEpoch connector epoch of the last report
 * @param changedIn iteration that publishes this version
 */
public record Node(
        String id,
        @Nullable String connector,
        int index,
        NodeState state,
        boolean failing,
        NodeAttributes attributes,
        NodeMarks marks,
        @Nullable String reason,
        long stateSince,
        long reportedEpoch,
        long changedIn) {
    /** Partition of a node that names none. */
    public static final String DEFAULT_PARTITION = "DEFAULT";

    /** Restores a node from its stored version. */
    public static Node from(NodeStatus status) {
        return new Node(
                status.getNodeId(),
                status.getConnector(),
                status.getIndex(),
                status.getState(),
                status.getFailing(),
                NodeAttributes.from(status),
                NodeMarks.from(status.getMarks()),
                status.getReason(),
                status.getStateSince().getEpochSecond(),
                status.getReportedEpoch(),
                status.getChangedIn());
    }

    /**
     * Makes the next version of a node from a report.
     *
     * @param known the version in force; null for a new node
     * @param index index of a new node whose report gives none
     */
    public static Node reported(
            NodeReport report, @Nullable String connector, long epoch, @Nullable Node known, int index, long now) {
        Integer reportedIndex = report.getIndex();
        NodeMarks marks = known == null ? NodeMarks.NONE : known.marks;
        return new Node(
                report.getNodeId(),
                connector,
                known != null ? known.index : reportedIndex != null ? reportedIndex : index,
                report.getState(),
                report.getFailing(),
                marks.on(NodeAttributes.from(report)),
                marks,
                report.getReason(),
                known != null && known.state == report.getState() ? known.stateSince : now,
                epoch,
                known == null ? 0 : known.changedIn);
    }

    /** Returns this node, published by {@code iteration}. */
    public Node changedIn(long iteration) {
        return new Node(
                id, connector, index, state, failing, attributes, marks, reason, stateSince, reportedEpoch, iteration);
    }

    /** Returns this node as no longer known to its resource manager. */
    public Node removed(String why, long now, long iteration) {
        return new Node(
                id,
                connector,
                index,
                NodeState.REMOVED,
                failing,
                attributes,
                marks,
                why,
                now,
                reportedEpoch,
                iteration);
    }

    /** Returns this node with other marks. */
    public Node marked(NodeMarks other) {
        return new Node(
                id,
                connector,
                index,
                state,
                failing,
                other.on(marks.off(attributes)),
                other,
                reason,
                stateSince,
                reportedEpoch,
                changedIn);
    }

    /** Returns this node as being in its state since {@code instant}. */
    public Node since(long instant) {
        return new Node(
                id, connector, index, state, failing, attributes, marks, reason, instant, reportedEpoch, changedIn);
    }

    /** Returns this node as the record that stores and topics hold. */
    public NodeStatus toRecord(String cluster) {
        return attributes
                .into(NodeStatus.newBuilder()
                        .setCluster(cluster)
                        .setNodeId(id)
                        .setConnector(connector)
                        .setIndex(index)
                        .setState(state)
                        .setFailing(failing)
                        .setMarks(marks.toRecords())
                        .setReason(reason)
                        .setStateSince(Instant.ofEpochSecond(stateSince))
                        .setReportedEpoch(reportedEpoch)
                        .setChangedIn(changedIn))
                .build();
    }

    /** Returns the processors the resource manager configures. */
    public int procs() {
        return attributes.configured().procs();
    }

    /** Returns whether a job may be planned on it. */
    public boolean plannable() {
        return !failing
                && switch (state) {
                    case IDLE, RUNNING, BUSY -> true;
                    case UNKNOWN, DRAINING, DRAINED, DOWN, REMOVED -> false;
                };
    }

    /** Returns whether a job may start on it now, resources permitting. */
    public boolean accepting() {
        return plannable() && state != NodeState.BUSY;
    }

    /** Returns whether {@code other} says the same, the bookkeeping of reports apart. */
    public boolean sameAs(Node other) {
        return equals(new Node(
                other.id,
                other.connector,
                other.index,
                other.state,
                other.failing,
                other.attributes,
                other.marks,
                other.reason,
                other.stateSince,
                reportedEpoch,
                changedIn));
    }
}
