package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.schemas.NodeState;
import io.weir.schemas.QuarantineKind;
import io.weir.schemas.Severity;
import java.time.Instant;
import java.util.List;

/**
 * Takes nodes of which nothing is heard out of service: when a resource manager was last heard of NODEPOLLTIMEOUT ago, its
 * nodes are down until it lists them again. Their jobs go on, for nothing says that they failed. A scheduler that has not
 * itself listened for so long, because it was stopped, takes no silence for one. Costs a walk over the nodes when silence
 * has lasted so long, and nothing before or after. One iteration's use.
 */
public final class SilentManagers {
    private final ClusterState state;
    private final long now;

    public SilentManagers(ClusterState state, long now) {
        this.state = state;
        this.now = now;
    }

    /** Puts the nodes of resource managers down that have been silent for too long. */
    public void settle() {
        if (!isAnyDue(state, now)) {
            return;
        }
        for (ConnectorState connector : List.copyOf(state.domain.connectors.values())) {
            if (isDue(state, connector, now)) {
                silence(connector);
                state.domain.connectors.put(connector.id(), connector.silenced());
            }
        }
    }

    /** Returns whether nothing has been heard of a resource manager for too long, as of the last iteration, and its nodes are in service. */
    public static boolean isAnyDue(ClusterState state) {
        return isAnyDue(state, state.domain.now());
    }

    private static boolean isAnyDue(ClusterState state, long now) {
        for (ConnectorState connector : state.domain.connectors.values()) {
            if (isDue(state, connector, now)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isDue(ClusterState state, ConnectorState connector, long now) {
        long until = until(state, connector);
        return until != Job.NONE && until <= now && !connector.silent();
    }

    private void silence(ConnectorState connector) {
        Instant heard = connector.rmTime();
        state.watch.connector(connector.id(), state.domain.connectors.keySet(), TriggerEvent.FAIL);
        state.domain.notice(
                Severity.ERROR,
                "rmdown",
                "rm",
                connector.id(),
                "resource manager " + connector.id() + " was last heard of at " + heard
                        + "; its nodes are down until it lists them again, jobs go on");
        for (Node node : state.nodes.all()) {
            if (connector.id().equals(node.connector())
                    && node.state() != NodeState.DOWN
                    && node.state() != NodeState.REMOVED) {
                state.work.on(QuarantineKind.NODE, node.id());
                String why = Node.UNREACHABLE + ", resource manager " + connector.id() + " unreachable";
                state.domain.notice(
                        Severity.WARNING,
                        Node.DOWN_EVENT,
                        "node",
                        node.id(),
                        "node " + node.id() + ": " + node.state() + " to " + NodeState.DOWN + ": " + why);
                state.emit(node.silent(why, now).happened(Node.DOWN_EVENT, why, now));
            }
        }
        state.work.onNothing();
    }

    /** Returns when the nodes of {@code connector} are down unless it is heard of before, {@link Job#NONE} for never. */
    private static long until(ClusterState state, ConnectorState connector) {
        long patience = state.domain.policy.failures().silenceSeconds();
        Instant heard = connector.rmTime();
        return heard == null || patience == 0 ? Job.NONE : heard.getEpochSecond() + patience;
    }

    /**
     * Returns the first instant at which silence has lasted too long, {@link Job#NONE} for none. Where the scheduler goes by
     * the clock of a resource manager, which the equality of both shows, time does not pass without it.
     */
    public static long nextDue(ClusterState state, long nowMillis) {
        long next = Job.NONE;
        for (ConnectorState connector : state.domain.connectors.values()) {
            long until = until(state, connector);
            Instant heard = connector.rmTime();
            boolean ownClock = heard != null && heard.toEpochMilli() != nowMillis;
            if (until > Math.floorDiv(nowMillis, 1000L) && ownClock) {
                next = next == Job.NONE ? until : Math.min(next, until);
            }
        }
        return next;
    }
}
