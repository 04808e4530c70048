package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** FAIL: the job is removed and counts as failed. */
final class FailResponse implements FailureResponse {
    private final ResponseActions actions;

    FailResponse(ResponseActions actions) {
        this.actions = actions;
    }

    @Override
    public void answer(StrickenJob loss) {
        actions.end(loss, FailureAction.FAIL, "jobfail");
    }
}
