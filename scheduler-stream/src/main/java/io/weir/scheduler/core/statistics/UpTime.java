package io.weir.scheduler.core.statistics;

import static io.weir.scheduler.core.bound.Saturation.OF_LONG;

/**
 * Processors of the nodes that are up, and for how long. Immutable.
 *
 * @param procs processors at present
 * @param since since when it is so many, epoch seconds
 * @param procSeconds processor seconds until then
 */
record UpTime(long procs, long since, long procSeconds) {
    /** Of no node. */
    static final UpTime NONE = new UpTime(0, 0, 0);

    /** Returns the processor seconds until {@code now}, epoch seconds. */
    long until(long now) {
        return OF_LONG.sum(procSeconds, OF_LONG.product(procs, JobTotals.span(since, now)));
    }

    /** Returns what it is when {@code more} processors are up from {@code at} on, epoch seconds; fewer if negative. */
    UpTime plus(long more, long at) {
        return new UpTime(Math.max(0, procs + more), Math.max(since, at), until(at));
    }

    /** Returns as many processors, counted from {@code now} on. */
    UpTime anew(long now) {
        return new UpTime(procs, now, 0);
    }
}
