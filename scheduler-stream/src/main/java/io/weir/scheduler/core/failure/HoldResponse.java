package io.weir.scheduler.core.failure;

import io.weir.scheduler.core.policy.node.FailureAction;

/** HOLD: a job that can go on from a checkpoint waits for its release; any other is requeued. */
final class HoldResponse implements FailureResponse {
    private final ResponseActions actions;
    private final FailureResponse otherwise;

    HoldResponse(ResponseActions actions, FailureResponse otherwise) {
        this.actions = actions;
        this.otherwise = otherwise;
    }

    @Override
    public void answer(StrickenJob loss) {
        if (ResponseActions.checkpointable(loss.job())) {
            actions.requeue(loss, FailureAction.HOLD);
        } else {
            otherwise.answer(
                    new StrickenJob(loss.job(), loss.nodes(), loss.policy() + ": the job cannot be checkpointed"));
        }
    }
}
