package io.weir.scheduler.core.statistics;

import static io.weir.scheduler.core.bound.Saturation.OF_LONG;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.state.CredentialRecord;
import io.weir.schemas.JobState;

/** Sums over jobs. None of them overflows: what is too much for a long stays at its limit. */
public final class JobTotals {
    /** Waits and runs that are longer count as this long, seconds; ten years. */
    private static final long LONGEST = 10L * 366 * 86_400;

    private long started;
    private long ended;
    private long succeeded;
    private long procSeconds;
    private long requestedProcSeconds;
    private long queueSeconds;
    private long longestQueueSeconds;
    private long expansionMillis;
    private long largestExpansionMillis;
    private long usedSeconds;
    private long limitSeconds;

    /** Begins with nothing. */
    JobTotals() {}

    /** Goes on from a stored version. */
    static JobTotals from(CredentialRecord stored) {
        JobTotals totals = new JobTotals();
        totals.started = stored.getStarted();
        totals.ended = stored.getEnded();
        totals.succeeded = stored.getSucceeded();
        totals.procSeconds = stored.getProcSeconds();
        totals.requestedProcSeconds = stored.getRequestedProcSeconds();
        totals.queueSeconds = stored.getQueueSeconds();
        totals.longestQueueSeconds = stored.getLongestQueueSeconds();
        totals.expansionMillis = stored.getExpansionMillis();
        totals.largestExpansionMillis = stored.getLargestExpansionMillis();
        totals.usedSeconds = stored.getUsedSeconds();
        totals.limitSeconds = stored.getLimitSeconds();
        return totals;
    }

    /** Returns the form that is stored; {@code since} in epoch seconds, {@code up} of all jobs only. */
    CredentialRecord toRecord(String cluster, String kind, String name, long since, UpTime up) {
        return new CredentialRecord(
                cluster,
                kind,
                name,
                since,
                started,
                ended,
                succeeded,
                procSeconds,
                requestedProcSeconds,
                queueSeconds,
                longestQueueSeconds,
                expansionMillis,
                largestExpansionMillis,
                usedSeconds,
                limitSeconds,
                up.procs(),
                up.since(),
                up.procSeconds());
    }

    /** Counts a start. */
    void start() {
        started++;
    }

    /** Counts that {@code job}, which has started, is over since {@code end}, epoch seconds. */
    void end(Job job, long end) {
        long wait = span(job.request().submit(), job.start());
        long run = span(job.start(), end);
        long limit = Math.max(1, Math.min(LONGEST, job.limitSeconds()));
        long expansion = 1_000 * (wait + run) / limit;
        ended++;
        succeeded += job.state() == JobState.COMPLETED ? 1 : 0;
        requestedProcSeconds = OF_LONG.sum(requestedProcSeconds, job.request().procs() * limit);
        queueSeconds = OF_LONG.sum(queueSeconds, wait);
        longestQueueSeconds = Math.max(longestQueueSeconds, wait);
        expansionMillis = OF_LONG.sum(expansionMillis, expansion);
        largestExpansionMillis = Math.max(largestExpansionMillis, expansion);
        usedSeconds = OF_LONG.sum(usedSeconds, run);
        limitSeconds = OF_LONG.sum(limitSeconds, limit);
    }

    /** Adds dedicated processor seconds. */
    void use(long amount) {
        procSeconds = OF_LONG.sum(procSeconds, amount);
    }

    /** Returns the starts of jobs. */
    public long started() {
        return started;
    }

    /** Returns how many jobs that had run ended. */
    public long ended() {
        return ended;
    }

    /** Returns how many of them completed, and did not fail nor were cancelled. */
    public long succeeded() {
        return succeeded;
    }

    /** Returns the dedicated processor seconds of runs that are over. */
    public long procSeconds() {
        return procSeconds;
    }

    /** Returns the processor seconds that ended jobs had asked for. */
    public long requestedProcSeconds() {
        return requestedProcSeconds;
    }

    /** Returns how long ended jobs had waited for their start on the average, seconds. */
    public long averageQueueSeconds() {
        return ended == 0 ? 0 : queueSeconds / ended;
    }

    /** Returns the longest of these waits, seconds. */
    public long longestQueueSeconds() {
        return longestQueueSeconds;
    }

    /** Returns the average expansion factor of ended jobs, in thousandths. */
    public long averageExpansionMillis() {
        return ended == 0 ? 0 : expansionMillis / ended;
    }

    /** Returns the largest expansion factor of an ended job, in thousandths. */
    public long largestExpansionMillis() {
        return largestExpansionMillis;
    }

    /** Returns how long ended jobs ran, seconds. */
    public long usedSeconds() {
        return usedSeconds;
    }

    /** Returns the wallclock limits of ended jobs together, seconds. */
    public long limitSeconds() {
        return limitSeconds;
    }

    /** Returns the seconds between two instants, neither negative nor longer than can be. */
    static long span(long from, long to) {
        return to <= from ? 0 : Math.min(LONGEST, to - Math.max(0, from));
    }
}
