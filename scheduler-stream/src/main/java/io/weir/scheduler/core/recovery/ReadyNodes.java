package io.weir.scheduler.core.recovery;

import io.weir.scheduler.core.node.EffectiveNode;
import io.weir.scheduler.core.state.ClusterState;

/**
 * Says which nodes can take a job at once: idle, switched on, accepting jobs, and below their load limit. Goes by what was
 * measured, and not by what the last iteration assumed, so that it says the same after a restart.
 */
final class ReadyNodes {
    private final ClusterState state;

    ReadyNodes(ClusterState state) {
        this.state = state;
    }

    /** Returns whether the node at {@code position} can; false for a negative position, which is no node's. */
    boolean isReady(int position) {
        if (position < 0 || state.nodes.jobsAt(position) > 0) {
            return false;
        }
        EffectiveNode node = state.nodes.at(position);
        return node.accepting() && node.node().attributes().poweredOn() && !isOverloaded(node);
    }

    /** Returns whether load from elsewhere makes {@code node} busy, or leaves it less than all its processors. */
    private static boolean isOverloaded(EffectiveNode node) {
        Double load = node.node().attributes().usage().load();
        return load != null && node.maxLoad() > 0 && load >= node.maxLoad();
    }
}
