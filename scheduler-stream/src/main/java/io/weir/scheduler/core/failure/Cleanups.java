package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.node.NodeEvent;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;

/**
 * Keeps new jobs from a node that is back until it is rid of the jobs that were ended because it failed: until it is idle and
 * its resource manager has confirmed the end of these jobs, and no longer than two polls. Costs a look at those nodes. One
 * iteration's use.
 */
public final class Cleanups {
    private static final int POLLS = 2;

    private final ClusterState state;
    private final long now;

    public Cleanups(ClusterState state, long now) {
        this.state = state;
        this.now = now;
    }

    /** Has the failed node {@code id} clean up after {@code job} when it comes back. */
    void await(String id, Job job) {
        Node node = state.nodes.get(id);
        if (node != null) {
            state.emit(node.happened(Node.CLEANUP_EVENT, "cleaning up after job " + job.id(), now));
        }
    }

    /** Lets jobs onto the nodes that are done. */
    public void settle() {
        for (String id : state.nodes.sums().cleaning()) {
            state.work.on(QuarantineKind.NODE, id);
            Node node = state.nodes.get(id);
            if (node != null && (now >= latest(state, node) || isClean(node))) {
                state.emit(node.over(Node.CLEANUP_EVENT));
            }
        }
        state.work.onNothing();
    }

    private boolean isClean(Node node) {
        return node.state() == NodeState.IDLE
                && state.nodes.sharesAt(state.nodes.position(node.id())).keySet().stream()
                        .map(state.jobs::get)
                        .noneMatch(job -> job != null && job.failedNodes().endsRun());
    }

    private static long latest(ClusterState state, Node node) {
        NodeEvent cleanup = node.eventHistory().events().get(Node.CLEANUP_EVENT);
        long poll = state.domain.policy.failures().passing().flapSeconds();
        return cleanup == null ? Job.NONE : cleanup.lastSecond() + POLLS * poll;
    }

    /** Returns the first instant at which a node has cleaned up for long enough, {@link Job#NONE} for none. */
    public static long nextDue(ClusterState state) {
        long next = Job.NONE;
        for (String id : state.nodes.sums().cleaning()) {
            Node node = state.nodes.get(id);
            if (node != null) {
                long latest = latest(state, node);
                next = next == Job.NONE ? latest : Math.min(next, latest);
            }
        }
        return next;
    }
}
