package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.NodeAttributes;
import io.weir.rm.nativerm.text.NodeCondition;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns a node of the text into a report. What the text does not tell is left unknown. */
final class NodeTranslation {
    private static final NodeCondition SILENT = new NodeCondition(NodeState.DOWN, false, null);
    private static final NodeCondition UNTOLD = new NodeCondition(NodeState.UNKNOWN, false, null);

    private NodeTranslation() {}

    /** Returns the report of {@code node}; empty if it was taken away. */
    static Optional<NodeReport> report(String cluster, TextObject node) {
        if (node.get(NodeAttributes.REMOVED)) {
            return Optional.empty();
        }
        NodeCondition condition = condition(node);
        return Optional.of(NodeReport.newBuilder()
                .setCluster(cluster)
                .setNodeId(node.id())
                .setIndex(node.orNull(NodeAttributes.NODEINDEX))
                .setState(condition.state())
                .setFailing(condition.failing())
                .setProcs(node.get(NodeAttributes.CPROC))
                .setMemoryMb(node.get(NodeAttributes.CMEMORY))
                .setLoad(node.orNull(NodeAttributes.CPULOAD))
                .setFeatures(node.get(NodeAttributes.FEATURE).stream().sorted().toList())
                .setPartition(node.orNull(NodeAttributes.PARTITION))
                .setReason(reason(node, condition))
                .setUpdateTime(node.orNull(NodeAttributes.UPDATETIME))
                .build());
    }

    /** A node without power runs nothing, whatever else is said of it. */
    private static NodeCondition condition(TextObject node) {
        NodeCondition told = node.find(NodeAttributes.STATE).orElse(node.hasData() ? UNTOLD : SILENT);
        return node.get(NodeAttributes.POWER)
                ? told
                : new NodeCondition(
                        NodeState.DOWN, told.failing(), told.reason() == null ? "power is off" : told.reason());
    }

    private static @Nullable String reason(TextObject node, NodeCondition condition) {
        if (condition.reason() != null) {
            return condition.reason();
        }
        return node.find(NodeAttributes.EVENT).orElse(node.orNull(NodeAttributes.MESSAGE));
    }
}
