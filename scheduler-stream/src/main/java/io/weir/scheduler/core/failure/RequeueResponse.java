package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** REQUEUE: the job goes back into the queue, where its queue time counts on; one that may not is cancelled. */
final class RequeueResponse implements FailureResponse {
    private final ResponseActions actions;
    private final FailureResponse otherwise;

    RequeueResponse(ResponseActions actions, FailureResponse otherwise) {
        this.actions = actions;
        this.otherwise = otherwise;
    }

    @Override
    public void answer(StrickenJob loss) {
        if (ResponseActions.restartable(loss.job())) {
            actions.requeue(loss, FailureAction.REQUEUE);
        } else {
            otherwise.answer(
                    new StrickenJob(loss.job(), loss.nodes(), loss.policy() + ": the job may not be started again"));
        }
    }
}
