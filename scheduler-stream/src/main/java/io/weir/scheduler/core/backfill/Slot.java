package io.weir.scheduler.core.backfill;

/**
 * Where and when a job runs or would run.
 *
 * @param start first second, epoch seconds
 * @param seconds how long
 * @param procs processors
 */
public record Slot(long start, long seconds, long procs) {
    /** Returns the end, exclusive, epoch seconds. */
    public long end() {
        return start + seconds;
    }
}
