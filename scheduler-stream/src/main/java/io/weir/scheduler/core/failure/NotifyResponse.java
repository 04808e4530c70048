package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** NOTIFY: the job goes on; administrator and owner are told, each in a message of his own. */
final class NotifyResponse implements FailureResponse {
    private final ResponseActions actions;

    NotifyResponse(ResponseActions actions) {
        this.actions = actions;
    }

    @Override
    public void answer(StrickenJob loss) {
        actions.tell(loss);
        actions.goOn(loss, FailureAction.NOTIFY);
    }
}
