package io.weir.scheduler.core.policy.node;

/**
 * One element of RESOURCELIMITPOLICY: what happens to a running job that uses more than it asked for.
 *
 * @param resource CPUTIME, WALLTIME, PROC, MEM, SWAP or DISK
 * @param action what is done
 * @param graceSeconds how long the limit may be exceeded first; 0 acts at once
 */
public record ResourceLimit(LimitedResource resource, LimitAction action, long graceSeconds) {
    /** What can be limited. */
    public enum LimitedResource {
        /** Processor seconds consumed. */
        CPUTIME,
        /** Wallclock time. */
        WALLTIME,
        /** Processors in use. */
        PROC,
        /** Memory. */
        MEM,
        /** Swap. */
        SWAP,
        /** Local disk. */
        DISK
    }

    /** What becomes of the job. */
    public enum LimitAction {
        /** It is cancelled. */
        CANCEL,
        /** It goes back into the queue. */
        REQUEUE,
        /** It is suspended. */
        SUSPEND,
        /** Somebody is told. */
        NOTIFY
    }
}
