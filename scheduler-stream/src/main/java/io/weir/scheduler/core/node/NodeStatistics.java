package io.weir.scheduler.core.node;

import io.weir.scheduler.core.policy.node.AvailabilityMeasure;
import io.weir.scheduler.core.policy.node.NodeAccessPolicy;
import io.weir.scheduler.core.policy.node.ResourceKind;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a cluster have in common, whatever jobs hold of them; one version of it serves until a node or the
 * policy changes.
 */
public final class NodeStatistics {
    private final BitSet judged = new BitSet();
    private final BitSet refusing = new BitSet();
    private boolean interchangeable = true;
    private boolean measuring;
    private boolean overpacking;
    private boolean loadLimited;

    NodeStatistics(NodeTable nodes) {
        for (int position = 0; position < nodes.size(); position++) {
            count(position, nodes.at(position), nodes.at(0));
        }
    }

    private void count(int position, EffectiveNode node, EffectiveNode first) {
        NodeUsage usage = node.node().attributes().usage();
        AvailabilityMeasure measure = node.measure(ResourceKind.PROC);
        boolean refuses = !node.accepting() || !node.node().attributes().powered();
        boolean unmeasured = usage.load() == null && usage.availableMemoryMb() == null;
        refusing.set(position, refuses);
        judged.set(position, refuses || !unmeasured || node.maxLoad() > 0);
        interchangeable &= node.partition().equals(first.partition())
                && node.classes().isEmpty()
                && node.access() == NodeAccessPolicy.SHARED
                && node.procUnit() == 1
                && (node.maxTasks() == null
                        || node.maxTasks() >= node.configured().procs())
                && (unmeasured || measure == AvailabilityMeasure.DEDICATED);
        overpacking |= measure == AvailabilityMeasure.UTILIZED;
        loadLimited |= node.maxLoad() > 0;
        measuring |= measure == AvailabilityMeasure.UTILIZED
                || node.maxLoad() > 0
                || usage.load() != null
                || counts(node, ResourceKind.MEM, usage.availableMemoryMb())
                || counts(node, ResourceKind.SWAP, usage.availableSwapMb())
                || counts(node, ResourceKind.DISK, usage.availableDiskMb());
    }

    /** Returns whether what jobs are assumed to use beyond what was measured can decide how much a node gives of a resource. */
    private static boolean counts(EffectiveNode node, ResourceKind resource, @Nullable Long available) {
        AvailabilityMeasure measure = node.measure(resource);
        return measure == AvailabilityMeasure.UTILIZED
                || (available != null && measure != AvailabilityMeasure.DEDICATED);
    }

    /** Returns whether any processor of any node is as good as any other. */
    public boolean interchangeable() {
        return interchangeable;
    }

    /** Returns whether anything measured on a node decides what may start there. */
    public boolean measuring() {
        return measuring;
    }

    /** Returns whether a node may take more than its processors. */
    public boolean overpacking() {
        return overpacking;
    }

    /** Returns whether a node takes nothing from some load on. */
    public boolean loadLimited() {
        return loadLimited;
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
