package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** IGNORE: the job goes on with the nodes it has left. */
final class IgnoreResponse implements FailureResponse {
    private final ResponseActions actions;

    IgnoreResponse(ResponseActions actions) {
        this.actions = actions;
    }

    @Override
    public void answer(StrickenJob loss) {
        actions.goOn(loss, FailureAction.IGNORE);
    }
}
