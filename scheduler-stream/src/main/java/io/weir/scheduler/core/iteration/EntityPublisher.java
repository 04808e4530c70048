package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.output.IterationOutputs;
import io.weir.scheduler.core.output.OutputKind;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.scheduler.core.state.EntityChanges;
import io.weir.scheduler.state.PendingNotice;
import io.weir.schemas.NodeState;

/** Publishes every node, job and reservation whose version changed since the last iteration, and the notices. */
final class EntityPublisher {
    private final ClusterState state;
    private final IterationOutputs outputs;

    EntityPublisher(ClusterState state, IterationOutputs outputs) {
        this.state = state;
        this.outputs = outputs;
    }

    /** Publishes what changed; nodes that were removed are forgotten first. */
    void publish() {
        for (String id : state.nodeChanges.toBePublished()) {
            Node node = state.nodes.get(id);
            if (node != null && node.state() == NodeState.REMOVED) {
                state.purge(node);
            }
        }
        if (state.observation.publishes()) {
            publish(OutputKind.NODE, state.nodeChanges);
            publish(OutputKind.JOB, state.jobChanges);
            publish(OutputKind.RESERVATION, state.reservationChanges);
        }
        state.nodeChanges.published();
        state.jobChanges.published();
        state.reservationChanges.published();
        for (PendingNotice notice : state.domain.takeNotices(state.cluster)) {
            outputs.notices().tell(notice);
        }
    }

    private void publish(OutputKind kind, EntityChanges changes) {
        changes.unpublished().forEach(id -> outputs.state(kind, changes.toPublish(id)));
    }
}
