package io.weir.trace;

/**
 * What became of a trace job. Times are in seconds on the trace's clock.
 *
 * @param number job number as the trace gives it
 * @param sequence position among the usable jobs of the trace
 * @param submit when it entered the queue
 * @param start when it began to run
 * @param end when it ended
 * @param procs processors it had
 */
public record JobRun(long number, long sequence, long submit, long start, long end, int procs) {}
