package io.weir.scheduler.core.node;

import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a cluster have in common, whatever jobs hold of them. Kept up to date as each node changes, so that none of
 * it costs a scan; one object serves as long as no node comes, goes or moves and the policy stays.
 */
public final class NodeStatistics {
    private final BitSet judged = new BitSet();
    private final BitSet refusing = new BitSet();

    /** How many nodes there are in each partition. */
    private final SortedMap<String, Integer> partitions = new TreeMap<>();

    private int particular;
    private int measuring;
    private int overpacking;
    private int loadLimited;

    NodeStatistics(NodeTable nodes) {
        for (int position = 0; position < nodes.size(); position++) {
            count(position, nodes.at(position), 1);
        }
    }

    /** Counts the node at {@code position} in, {@code sign} being 1, or out, being -1. */
    void count(int position, EffectiveNode node, int sign) {
        NodeUsage usage = node.node().attributes().usage();
        AvailabilityMeasure measure = node.measure(ResourceKind.PROC);
        boolean refuses = !node.accepting() || !node.node().attributes().powered();
        boolean unmeasured = usage.load() == null && usage.availableMemoryMb() == null;
        refusing.set(position, sign > 0 && refuses);
        judged.set(position, sign > 0 && (refuses || !unmeasured || node.maxLoad() > 0));
        partitions.merge(node.partition(), sign, (a, b) -> a + b == 0 ? null : a + b);
        boolean plain = node.classes().isEmpty()
                && node.access() == NodeAccessPolicy.SHARED
                && node.procUnit() == 1
                && (node.maxTasks() == null
                        || node.maxTasks() >= node.configured().procs())
                && (unmeasured || measure == AvailabilityMeasure.DEDICATED);
        particular += plain ? 0 : sign;
        overpacking += measure == AvailabilityMeasure.UTILIZED ? sign : 0;
        loadLimited += node.maxLoad() > 0 ? sign : 0;
        boolean measured = measure == AvailabilityMeasure.UTILIZED
                || node.maxLoad() > 0
                || usage.load() != null
                || counts(node, ResourceKind.MEM, usage.availableMemoryMb())
                || counts(node, ResourceKind.SWAP, usage.availableSwapMb())
                || counts(node, ResourceKind.DISK, usage.availableDiskMb());
        measuring += measured ? sign : 0;
    }

    /** Returns whether what jobs are assumed to use beyond what was measured can decide how much a node gives of a resource. */
    private static boolean counts(EffectiveNode node, ResourceKind resource, @Nullable Long available) {
        AvailabilityMeasure measure = node.measure(resource);
        return measure == AvailabilityMeasure.UTILIZED
                || (available != null && measure != AvailabilityMeasure.DEDICATED);
    }

    /** Returns whether the nodes are in several partitions. */
    public boolean divided() {
        return partitions.size() > 1;
    }

    /** Returns whether any processor of any node is as good as any other. */
    public boolean interchangeable() {
        return particular == 0 && !divided();
    }

    /** Returns whether anything measured on a node decides what may start there. */
    public boolean measuring() {
        return measuring > 0;
    }

    /** Returns whether a node may take more than its processors. */
    public boolean overpacking() {
        return overpacking > 0;
    }

    /** Returns whether a node takes nothing from some load on. */
    public boolean loadLimited() {
        return loadLimited > 0;
    }

    /** Returns the positions of nodes that take nothing now, whatever they have; not to be written. */
    public BitSet refusing() {
        return refusing;
    }

    /** Returns the positions of nodes that may have less to give than jobs left of them; not to be written. */
    public BitSet judged() {
        return judged;
    }
}
