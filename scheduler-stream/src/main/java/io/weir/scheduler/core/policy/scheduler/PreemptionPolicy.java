package io.weir.scheduler.core.policy.scheduler;

/** PREEMPTPOLICY: what becomes of a job that is preempted. */
public enum PreemptionPolicy {
    /** It goes back into the queue; one that cannot be started again is cancelled. */
    REQUEUE,
    /** As REQUEUE: a job writes its checkpoints itself. */
    CHECKPOINT,
    /** It is cancelled. */
    CANCEL,
    /** It would be suspended, which nobody is: nothing is preempted. */
    SUSPEND
}
