package io.weir.rm.nativerm;

import io.weir.rm.nativerm.text.NodeTextAttributes;
import io.weir.rm.nativerm.text.ReportedNodeState;
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
final class NativeNodeTranslation {
    private static final ReportedNodeState SILENT = new ReportedNodeState(NodeState.DOWN, false, null);
    private static final ReportedNodeState UNTOLD = new ReportedNodeState(NodeState.UNKNOWN, false, null);

    private static final SortedMap<String, Integer> NO_COUNTS = Collections.emptySortedMap();

    /** The pseudo-node of resources that float over the whole cluster; the only one that may be without processors. */
    static final String GLOBAL = "GLOBAL";

    private NativeNodeTranslation() {}

    /**
     * Returns the report of {@code node}; empty if it was taken away.
     *
     * @param latestSilent a node last heard of then or before is down, whatever its state is said to be
     */
    static Optional<NodeReport> report(String cluster, TextObject node, Instant latestSilent) {
        if (node.get(NodeTextAttributes.REMOVED)) {
            return Optional.empty();
        }
        ReportedNodeState condition = condition(node, latestSilent);
        return Optional.of(NodeReport.newBuilder()
                .setCluster(cluster)
                .setNodeId(node.id())
                .setIndex(node.orNull(NodeTextAttributes.NODEINDEX))
                .setState(condition.state())
                .setFailing(condition.failing())
                .setProcs(node.get(NodeTextAttributes.CPROC))
                .setMemoryMb(node.get(NodeTextAttributes.CMEMORY))
                .setLoad(load(node))
                .setFeatures(
                        node.get(NodeTextAttributes.FEATURE).stream().sorted().toList())
                .setPartition(node.orNull(NodeTextAttributes.PARTITION))
                .setReason(reason(node, condition))
                .setUpdateTime(node.orNull(NodeTextAttributes.UPDATETIME))
                .setSwapMb(node.get(NodeTextAttributes.CSWAP))
                .setDiskMb(node.get(NodeTextAttributes.CDISK))
                .setAvailableProcs(node.orNull(NodeTextAttributes.APROC))
                .setAvailableMemoryMb(node.orNull(NodeTextAttributes.AMEMORY))
                .setAvailableSwapMb(node.orNull(NodeTextAttributes.ASWAP))
                .setAvailableDiskMb(node.orNull(NodeTextAttributes.ADISK))
                .setClasses(counts(node.find(NodeTextAttributes.CCLASS).orElse(NO_COUNTS)))
                .setGres(counts(node.get(NodeTextAttributes.CRES)))
                .setNetworks(node.find(NodeTextAttributes.ANET).orElse(node.get(NodeTextAttributes.NETWORK)).stream()
                        .sorted()
                        .toList())
                .setArch(node.orNull(NodeTextAttributes.ARCH))
                .setOs(node.orNull(NodeTextAttributes.OS))
                .setSpeed(node.orNull(NodeTextAttributes.SPEED))
                .setProcSpeedMhz(node.orNull(NodeTextAttributes.CPUSPEED))
                .setRack(node.orNull(NodeTextAttributes.RACK))
                .setSlot(node.orNull(NodeTextAttributes.SLOT))
                .setPoweredOn(node.get(NodeTextAttributes.POWER))
                .setMaxTasks(node.orNull(NodeTextAttributes.MAXTASK))
                .setChargeRate(node.orNull(NodeTextAttributes.CHARGERATE))
                .setMetrics(node.get(NodeTextAttributes.GMETRIC).entrySet().stream()
                        .map(metric -> new Measurement(metric.getKey(), metric.getValue()))
                        .toList())
                .setVariables(node.get(NodeTextAttributes.VARIABLE).entrySet().stream()
                        .map(variable -> new NameValue(variable.getKey(), variable.getValue()))
                        .toList())
                .setMessages(node.find(NodeTextAttributes.MESSAGE).map(List::of).orElse(List.of()))
                .setCategory(node.orNull(NodeTextAttributes.CAT))
                .build());
    }

    /** Returns the load in tenths: more would be a change in every poll. */
    private static @Nullable Double load(TextObject node) {
        Double told = node.orNull(NodeTextAttributes.CPULOAD);
        return told == null ? null : Math.round(told * 10) / 10.0;
    }

    /** Returns what was measured on {@code node}. */
    static List<NodeMetric> metrics(String cluster, TextObject node, Instant now) {
        return node.get(NodeTextAttributes.GMETRIC).entrySet().stream()
                .map(metric -> new NodeMetric(cluster, node.id(), metric.getKey(), metric.getValue(), now))
                .toList();
    }

    static List<NameCount> counts(SortedMap<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(count -> new NameCount(count.getKey(), count.getValue().longValue()))
                .toList();
    }

    /** A node without power runs nothing, whatever else is said of it; one that was not heard of for long counts as down. */
    private static ReportedNodeState condition(TextObject node, Instant latestSilent) {
        ReportedNodeState told = node.find(NodeTextAttributes.STATE).orElse(node.hasData() ? UNTOLD : SILENT);
        if (!node.get(NodeTextAttributes.POWER)) {
            return new ReportedNodeState(
                    withoutPower(told.state()), told.failing(), told.reason() == null ? "power is off" : told.reason());
        } else if (told.state() == NodeState.UNKNOWN) {
            told = new ReportedNodeState(available(node), told.failing(), told.reason());
        }
        Instant heard = node.orNull(NodeTextAttributes.UPDATETIME);
        boolean silent = heard != null && !heard.isAfter(latestSilent) && told.state() != NodeState.DOWN;
        return silent
                ? new ReportedNodeState(NodeState.DOWN, told.failing(), "node not reporting, last heard of at " + heard)
                : told;
    }

    /** A node without work that is switched off is out of service; one with work has failed. */
    private static NodeState withoutPower(NodeState told) {
        return switch (told) {
            case IDLE, DRAINED, UNKNOWN -> NodeState.DRAINED;
            case RUNNING, BUSY, DRAINING, DOWN -> NodeState.DOWN;
            case REMOVED -> NodeState.REMOVED;
        };
    }

    /** Returns the state of a node of which only the available processors are told; UNKNOWN where they are not either. */
    private static NodeState available(TextObject node) {
        Integer procs = node.orNull(NodeTextAttributes.APROC);
        if (procs == null) {
            return NodeState.UNKNOWN;
        } else if (procs <= 0) {
            return NodeState.BUSY;
        }
        return procs >= node.get(NodeTextAttributes.CPROC) ? NodeState.IDLE : NodeState.RUNNING;
    }

    private static @Nullable String reason(TextObject node, ReportedNodeState condition) {
        if (condition.reason() != null) {
            return condition.reason();
        }
        return node.find(NodeTextAttributes.EVENT).orElse(node.orNull(NodeTextAttributes.MESSAGE));
    }
}
