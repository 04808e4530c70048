package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** CANCEL: the job is removed. */
final class CancelResponse implements FailureResponse {
    private final ResponseActions actions;

    CancelResponse(ResponseActions actions) {
        this.actions = actions;
    }

    @Override
    public void answer(StrickenJob loss) {
        actions.end(loss, FailureAction.CANCEL, "jobcancel");
    }
}
