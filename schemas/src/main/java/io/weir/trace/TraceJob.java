package io.weir.trace;

/**
 * A usable job of a trace. Times are in seconds, on the trace's own clock.
 *
 * @param id unique id within the trace: the job number, with {@code .2}, {@code .3} … for repeated numbers
 * @param number job number as the trace gives it
 * @param sequence position among the usable jobs of the file, from 0
 * @param submit when it entered the queue
 * @param procs processors requested, at least 1
 * @param estimate wallclock limit, at least 1
 * @param run how long it would run without a limit, at least 1
 * @param user user number; -1 when unknown
 * @param group group number; -1 when unknown
 * @param queue queue number; -1 when unknown
 */
public record TraceJob(
        String id,
        long number,
        long sequence,
        long submit,
        int procs,
        long estimate,
        long run,
        long user,
        long group,
        long queue) {
    /** Returns how long the job occupies its processors: it is ended at its estimate. */
    public long occupied() {
        return Math.min(run, estimate);
    }
}
