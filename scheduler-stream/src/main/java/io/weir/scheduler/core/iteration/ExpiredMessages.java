package io.weir.scheduler.core.iteration;

import io.weir.scheduler.core.node.Node;
import io.weir.scheduler.core.state.ClusterState;
import io.weir.schemas.QuarantineKind;

/**
 * Takes messages of nodes away at the instant at which they expire. Of more than {@link #MOST_NODES} nodes at once the
 * others follow in the next iterations. Serves one iteration.
 */
final class ExpiredMessages {
    /** Nodes whose messages one iteration takes away: each is a record to publish. */
    static final int MOST_NODES = 1_000;

    private final ClusterState state;
    private final long now;

    ExpiredMessages(ClusterState state, long now) {
        this.state = state;
        this.now = now;
    }

    void settle() {
        for (String id : state.nodes.expired(now, MOST_NODES)) {
            state.work.on(QuarantineKind.NODE, id);
            Node node = state.nodes.get(id);
            if (node != null) {
                Node left = node.withoutExpired(now);
                state.emit(left);
                if (!left.annotations().equals(node.annotations())) {
                    // What the resource manager says in place of an operator's message, it says in a complete poll.
                    state.domain.askForEverything(node.connector());
                }
            }
        }
        state.work.onNothing();
    }
}
