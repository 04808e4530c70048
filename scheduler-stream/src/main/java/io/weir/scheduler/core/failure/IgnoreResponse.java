package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** IGNORE: the job goes on with the nodes it has left, or with others in the place of failed ones (JOBREALLOCATE). */
final class IgnoreResponse implements FailureResponse {
    private final ResponseActions actions;
    private final NodeExchange exchange;
    private final boolean reallocates;

    IgnoreResponse(ResponseActions actions, NodeExchange exchange, boolean reallocates) {
        this.actions = actions;
        this.exchange = exchange;
        this.reallocates = reallocates;
    }

    @Override
    public void answer(StrickenJob loss) {
        if (!reallocates || !exchange.begin(loss, FailureAction.IGNORE)) {
            actions.goOn(loss, FailureAction.IGNORE);
        }
    }
}
