package io.weir.scheduler.core.policy.node;

/** What happens to a running job when one of its nodes fails. */
public enum FailureAction {
    /** It is removed; its final state is CANCELLED. */
    CANCEL(true),
    /** It is removed; its final state is FAILED. */
    FAIL(true),
    /** It is checkpointed and queued again under a batch hold. */
    HOLD(true),
    /** It goes on. */
    IGNORE(false),
    /** It goes on, and administrator and owner are told. */
    NOTIFY(false),
    /** It is queued again. */
    REQUEUE(true),
    /** It goes on, on other nodes in place of the failed ones. */
    MIGRATE(false);

    private final boolean endsRun;

    FailureAction(boolean endsRun) {
        this.endsRun = endsRun;
    }

    /** Returns whether the job gives up all its nodes. */
    public boolean endsRun() {
        return endsRun;
    }
}
