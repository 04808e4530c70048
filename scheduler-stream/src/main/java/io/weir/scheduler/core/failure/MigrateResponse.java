package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.job.FailedNode;
import io.weir.scheduler.core.policy.node.FailureAction;

/**
 * MIGRATE: the failed nodes are exchanged for idle ones like them; where that cannot be done, or the resource manager refuses
 * it, the job is requeued.
 */
final class MigrateResponse implements FailureResponse {
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
        if (refused || !exchange.begin(loss, FailureAction.MIGRATE)) {
            String why = refused
                    ? "the resource manager gives it no other nodes"
                    : "there are no nodes to exchange them for";
            otherwise.answer(new StrickenJob(loss.job(), loss.nodes(), loss.policy() + ": " + why));
        }
    }

    /** Returns whether an exchange of a node was ordered and refused. */
    static boolean refused(FailedNode node) {
        return node.action() == FailureAction.MIGRATE && node.replacement() == null;
    }
}
