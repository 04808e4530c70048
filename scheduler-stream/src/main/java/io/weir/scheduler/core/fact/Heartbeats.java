package io.weir.scheduler.core.fact;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.ConnectorState;
import io.weir.scheduler.core.state.DomainState;
import io.weir.scheduler.core.trigger.TriggerEvent;
import io.weir.schemas.Heartbeat;
import io.weir.schemas.HeartbeatKind;
import io.weir.schemas.JobState;

/**
 * What heartbeats of connectors do to the state: a connector is there, a poll is complete, and what a full poll did not list is
 * gone.
 */
final class Heartbeats {
    private final ClusterState state;
    private final LostNodes lostNodes;
    private final MissingResults missingResults;

    Heartbeats(ClusterState state, LostNodes lostNodes) {
        this.state = state;
        this.lostNodes = lostNodes;
        missingResults = new MissingResults(state);
    }

    void apply(Heartbeat heartbeat, long epoch) {
        DomainState domain = state.domain;
        String id = heartbeat.getConnector();
        ConnectorState known = domain.connectors.get(id);
        ConnectorState connector =
                known != null ? known : new ConnectorState(id, epoch, 0, null, 0, 0, false, 0, false);
        switch (heartbeat.getKind()) {
            case HELLO -> {
                connector = connector.opened(epoch);
                state.watch.connector(id, domain.connectors.keySet(), TriggerEvent.START);
            }
            case HEARTBEAT -> {
                if (connector.rmTime() == null) {
                    // From now on it is known what there is: what was only late may now be impossible.
                    state.replan();
                }
                if (state.nodes.sums().unheardOf() > 0 && !heartbeat.getFull()) {
                    // Only what it lists anew is known to be as it was.
                    connector = connector.fullPoll(true);
                }
                connector = connector.polled(heartbeat.getNumber(), heartbeat.getRmTime(), heartbeat.getLastCommand());
                if (known != null && known.silent()) {
                    state.objectEvents.raise("rmup", "rm", id, "resource manager " + id + " is heard of again");
                }
                lostNodes.absolve(id);
                state.charges.polled(id, state.jobs::get);
                if (heartbeat.getFull()) {
                    dropUnlisted(id, connector.epoch(), heartbeat.getRmTime().getEpochSecond());
                }
            }
            case UNKNOWN -> {
                // Refused by the check.
            }
        }
        domain.connectors.put(id, connector);
        if (heartbeat.getKind() == HeartbeatKind.HEARTBEAT) {
            missingResults.polled(connector, heartbeat.getFull());
        }
    }

    /** A full poll lists everything: what it did not list is gone. */
    private void dropUnlisted(String connector, long epoch, long at) {
        for (Job job : state.jobs.all().stream()
                .filter(job ->
                        connector.equals(job.request().connector()) && job.reportedEpoch() < epoch && !job.finished())
                .toList()) {
            state.emit(job.edit().finished(JobState.REMOVED, at, null, "not listed by the resource manager"));
        }
        for (Node node : state.nodes.all()) {
            if (connector.equals(node.connector()) && node.reportedEpoch() < epoch) {
                state.emit(node.removed("not listed by the resource manager", at, node.changedIn()));
            }
        }
    }
}
