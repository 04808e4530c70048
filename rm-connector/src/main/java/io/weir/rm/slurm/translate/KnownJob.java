package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import io.weir.schemas.JobReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as last seen.
 *
 * @param line its line in the queue's listing; null without squeue
 * @param report what is said of it, apart from its array's limit
 * @param validUntil when the report changes by the passing of time alone; null for not
 */
record KnownJob(
        @Nullable QueueLine line,
        SlurmJob job,
        JobReport report,
        @Nullable Instant validUntil) {
    /** Returns it with a report that does not hold any more. */
    KnownJob outdated() {
        return new KnownJob(line, job, report, Instant.EPOCH);
    }

    /** Returns it as a task of an array of which so many may run at a time. */
    KnownJob limited(int most) {
        return new KnownJob(line, job.limited(most), report, validUntil);
    }
}
