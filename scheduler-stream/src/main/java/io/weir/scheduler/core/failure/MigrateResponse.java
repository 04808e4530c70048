package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.policy.node.FailureAction;

/**
 * MIGRATE: the failed nodes are exchanged for idle ones like them; where the resource manager refuses these, for others. Where that
 * cannot be done, or it refuses again and again, the job is requeued.
 */
final class MigrateResponse implements FailureResponse {
    /** So many nodes are tried in the place of one that failed. */
    private static final int MOST_TRIED = 3;

    private final NodeExchange exchange;
    private final FailureResponse otherwise;

    MigrateResponse(NodeExchange exchange, FailureResponse otherwise) {
        this.exchange = exchange;
        this.otherwise = otherwise;
    }

    @Override
    public void answer(StrickenJob loss) {
        boolean refused = loss.nodes().stream()
                .flatMap(node -> loss.job().failedNodes().find(node).stream())
                .anyMatch(MigrateResponse::refused);
        boolean hopeless = loss.nodes().stream()
                .flatMap(node -> loss.job().failedNodes().find(node).stream())
                .anyMatch(MigrateResponse::hopeless);
        if (hopeless || !exchange.begin(loss, FailureAction.MIGRATE)) {
            String why = refused
                    ? "the resource manager gives it no other nodes"
                    : "there are no nodes to exchange them for";
            otherwise.answer(new StrickenJob(loss.job(), loss.nodes(), loss.policy() + ": " + why));
        }
    }

    /** Returns whether no further exchange of a node is tried: what was refused was not about the nodes, or too often. */
    private static boolean hopeless(FailedNode node) {
        return refused(node) && (node.refused().isEmpty() || node.refused().size() >= MOST_TRIED);
    }

    /** Returns whether an exchange of a node was ordered and refused. */
    static boolean refused(FailedNode node) {
        return node.action() == FailureAction.MIGRATE && node.replacement() == null;
    }
}
