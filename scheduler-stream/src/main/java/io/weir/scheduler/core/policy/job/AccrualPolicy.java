package io.weir.scheduler.core.policy.job;

/** JOBPRIOACCRUALPOLICY: which of its waiting time counts for a job's priority. */
public enum AccrualPolicy {
    /** All of it. */
    ALWAYS,
    /** While nothing keeps the job out of the queue. */
    QUEUEPOLICY,
    /** While every limit on running is met, too. */
    FULLPOLICY
}
