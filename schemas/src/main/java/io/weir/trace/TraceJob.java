package io.weir.trace;

import org.jspecify.annotations.Nullable;

/**
 * A usable job of a trace. Times are in seconds, on the trace's own clock. A trace has numbers in place of names; what a job,
 * its user, its group and its class are called is said here, so that a configuration that names them means the same in every
 * run over the trace.
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
    /** Returns the name of the job, such as {@code job17}. */
    public String jobName() {
        return "job" + id;
    }

    /** Returns the name of the user, such as {@code u3}; null when unknown. */
    public @Nullable String userName() {
        return named("u", user);
    }

    /** Returns the name of the group, such as {@code g3}; null when unknown. */
    public @Nullable String groupName() {
        return named("g", group);
    }

    /** Returns the name of the class that stands for the queue, such as {@code q3}; null when unknown. */
    public @Nullable String className() {
        return named("q", queue);
    }

    private static @Nullable String named(String prefix, long number) {
        return number < 0 ? null : prefix + number;
    }

    /** Returns how long the job occupies its processors: it is ended at its estimate. */
    public long occupied() {
        return Math.min(run, estimate);
    }
}
