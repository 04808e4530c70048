package io.weir.scheduler.core.policy.scheduler;

/**
 * Preemption.
 *
 * @param policy PREEMPTPOLICY
 * @param minActiveSeconds JOBPREEMPTMINACTIVETIME: how long a job has run before it is preempted
 * @param maxActiveSeconds JOBPREEMPTMAXACTIVETIME: how long a job has run after which it is not preempted any more; 0 for no limit
 */
public record PreemptionSettings(PreemptionPolicy policy, long minActiveSeconds, long maxActiveSeconds) {
    /** What an empty configuration uses. */
    public static final PreemptionSettings DEFAULT = new PreemptionSettings(PreemptionPolicy.REQUEUE, 0, 0);
}
