package io.weir.scheduler.query.view;

import io.weir.scheduler.query.image.JobStanding;
import io.weir.schemas.JobStatus;
import java.time.Instant;

/** Where a job is listed. */
enum JobSection {
    /** It holds processors. */
    ACTIVE,
    /** It may start. */
    ELIGIBLE,
    /** It waits for something else than processors. */
    BLOCKED,
    /** It has ended. */
    COMPLETED;

    static JobSection of(JobStatus job, Instant now) {
        if (JobStanding.isActive(job)) {
            return ACTIVE;
        }
        if (!JobStanding.isWaiting(job)) {
            return COMPLETED;
        }
        return JobStanding.isBlocked(job, now) ? BLOCKED : ELIGIBLE;
    }
}
