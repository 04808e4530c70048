package io.weir.scheduler.core.statistics;

import static io.weir.scheduler.core.bound.Saturation.OF_LONG;

import io.weir.scheduler.core.job.Job;

/** A line of the statistics of credentials: the totals of its jobs, and what those of them do that are active now. */
public final class CredentialUse {
    private final String name;
    private final JobTotals totals;
    private long activeJobs;
    private long activeProcs;
    private long activeProcSeconds;

    CredentialUse(String name, JobTotals totals) {
        this.name = name;
        this.totals = totals;
    }

    /** Adds an active job that has used {@code procSeconds} by now. */
    void add(Job job, long procSeconds) {
        activeJobs++;
        activeProcs += job.dedicatedProcs();
        activeProcSeconds = OF_LONG.sum(activeProcSeconds, procSeconds);
    }

    /** Returns the name of the credential; empty for the others of its kind. */
    public String name() {
        return name;
    }

    /** Returns the totals of its jobs. */
    public JobTotals totals() {
        return totals;
    }

    /** Returns how many of its jobs are active now. */
    public long activeJobs() {
        return activeJobs;
    }

    /** Returns the processors dedicated to its active jobs. */
    public long activeProcs() {
        return activeProcs;
    }

    /** Returns the dedicated processor seconds of all its jobs up to now. */
    public long procSeconds() {
        return Math.max(0, OF_LONG.sum(totals.procSeconds(), activeProcSeconds));
    }
}
