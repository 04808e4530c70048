package io.weir.scheduler.stream.pacing;

import java.util.function.LongSupplier;

/**
 * How the iterations of a process are paced: while inputs wait, iterations and the commits that follow them take at most a
 * share of the stream thread's time, so that a backlog shrinks however long it is.
 *
 * @param backlog what has been read and not taken in
 * @param nanos elapsed time in nanoseconds, from any beginning
 * @param sharePercent the share of iterations, 1 to 100; with 100 they are not paced
 */
public record Pace(Backlog backlog, LongSupplier nanos, int sharePercent) {
    private static final int ALL = 100;

    public Pace {
        if (sharePercent < 1 || sharePercent > ALL) {
            throw new IllegalArgumentException("Share of iterations: " + sharePercent + " %; it has to be 1 to 100");
        }
    }

    /** Returns the time in nanoseconds that belongs to intake after an iteration that took {@code cost}. */
    long restAfter(long cost) {
        return cost / sharePercent * (ALL - sharePercent);
    }
}
