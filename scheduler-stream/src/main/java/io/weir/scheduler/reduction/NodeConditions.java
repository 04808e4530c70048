package io.weir.scheduler.reduction;

import io.weir.scheduler.state.ConditionStatus;
import io.weir.scheduler.state.TrackedCondition;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is followed of one node. One thread. */
final class NodeConditions {
    private final String cluster;
    private final String nodeId;

    /** By name of the condition. */
    private final SortedMap<String, TrackedMetric> tracked = new TreeMap<>();

    private final NodeValues values;

    /** When this was stored last, milliseconds since 1970. */
    private long stored;

    NodeConditions(String cluster, String nodeId) {
        this(cluster, nodeId, new NodeValues());
    }

    private NodeConditions(String cluster, String nodeId, NodeValues values) {
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.values = values;
    }

    /** Returns it as it was stored. Nothing is later than {@code now}: such times were told by a clock that was set back since. */
    static NodeConditions from(ConditionStatus status, long now) {
        NodeConditions node = new NodeConditions(status.getCluster(), status.getNodeId(), NodeValues.from(status, now));
        for (TrackedCondition condition : status.getConditions()) {
            node.tracked.put(condition.getName(), TrackedMetric.from(condition, now));
        }
        node.stored = now;
        return node;
    }

    /** Returns it as it is stored at {@code now}. */
    ConditionStatus toRecord(long now) {
        stored = now;
        List<TrackedCondition> records = tracked.entrySet().stream()
                .map(entry -> entry.getValue().toRecord(entry.getKey()))
                .toList();
        return new ConditionStatus(cluster, nodeId, records, values.toRecords(), values.toldTime());
    }

    String cluster() {
        return cluster;
    }

    String nodeId() {
        return nodeId;
    }

    SortedMap<String, TrackedMetric> tracked() {
        return tracked;
    }

    NodeValues values() {
        return values;
    }

    /** Returns whether nothing of it is followed any more. */
    boolean isEmpty() {
        return tracked.isEmpty() && values.isEmpty();
    }

    long stored() {
        return stored;
    }

    /** Returns when the last value came, milliseconds since 1970. */
    long lastValue() {
        long last =
                tracked.values().stream().mapToLong(TrackedMetric::time).max().orElse(0);
        return Math.max(last, values.lastValue());
    }
}
