package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.NodeAttributes;
import io.weir.rm.nativerm.text.NodeCondition;
import io.weir.rm.nativerm.text.TextObject;
import io.weir.schemas.Measurement;
import io.weir.schemas.NameCount;
import io.weir.schemas.NameValue;
import io.weir.schemas.NodeMetric;
import io.weir.schemas.NodeReport;
import io.weir.schemas.NodeState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Turns a node of the text into a report. What the text does not tell is left unknown. */
final class NodeTranslation {
    private static final NodeCondition SILENT = new NodeCondition(NodeState.DOWN, false, null);
    private static final NodeCondition UNTOLD = new NodeCondition(NodeState.UNKNOWN, false, null);

    private static final SortedMap<String, Integer> NO_COUNTS = Collections.emptySortedMap();

    /** The pseudo-node of resources that float over the whole cluster; the only one that may be without processors. */
    static final String GLOBAL = "GLOBAL";

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
                .setSwapMb(node.get(NodeAttributes.CSWAP))
                .setDiskMb(node.get(NodeAttributes.CDISK))
                .setAvailableProcs(node.orNull(NodeAttributes.APROC))
                .setAvailableMemoryMb(node.orNull(NodeAttributes.AMEMORY))
                .setAvailableSwapMb(node.orNull(NodeAttributes.ASWAP))
                .setAvailableDiskMb(node.orNull(NodeAttributes.ADISK))
                .setClasses(counts(node.find(NodeAttributes.CCLASS).orElse(NO_COUNTS)))
                .setGres(counts(node.get(NodeAttributes.CRES)))
                .setNetworks(node.find(NodeAttributes.ANET).orElse(node.get(NodeAttributes.NETWORK)).stream()
                        .sorted()
                        .toList())
                .setArch(node.orNull(NodeAttributes.ARCH))
                .setOs(node.orNull(NodeAttributes.OS))
                .setSpeed(node.orNull(NodeAttributes.SPEED))
                .setProcSpeedMhz(node.orNull(NodeAttributes.CPUSPEED))
                .setRack(node.orNull(NodeAttributes.RACK))
                .setSlot(node.orNull(NodeAttributes.SLOT))
                .setPoweredOn(node.get(NodeAttributes.POWER))
                .setMaxTasks(node.orNull(NodeAttributes.MAXTASK))
                .setChargeRate(node.orNull(NodeAttributes.CHARGERATE))
                .setMetrics(node.get(NodeAttributes.GMETRIC).entrySet().stream()
                        .map(metric -> new Measurement(metric.getKey(), metric.getValue()))
                        .toList())
                .setVariables(node.get(NodeAttributes.VARIABLE).entrySet().stream()
                        .map(variable -> new NameValue(variable.getKey(), variable.getValue()))
                        .toList())
                .setMessages(node.find(NodeAttributes.MESSAGE).map(List::of).orElse(List.of()))
                .setCategory(node.orNull(NodeAttributes.CAT))
                .build());
    }

    /** Returns what was measured on {@code node}. */
    static List<NodeMetric> metrics(String cluster, TextObject node, Instant now) {
        return node.get(NodeAttributes.GMETRIC).entrySet().stream()
                .map(metric -> new NodeMetric(cluster, node.id(), metric.getKey(), metric.getValue(), now))
                .toList();
    }

    static List<NameCount> counts(SortedMap<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(count -> new NameCount(count.getKey(), count.getValue().longValue()))
                .toList();
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
