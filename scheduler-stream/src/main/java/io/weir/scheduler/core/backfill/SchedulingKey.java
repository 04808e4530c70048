package io.weir.scheduler.core.backfill;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.reservation.JobAccess;
import org.jspecify.annotations.Nullable;

/**
 * What tells jobs apart that ask for the same: none of one kind can start earlier than another that asks for no more.
 *
 * @param access what the reservations that are no job's say to them
 * @param owner whom they belong to; null as long as that does not matter for a place
 */
record SchedulingKey(JobAccess access, @Nullable Owner owner) {
    /** Whom a job belongs to, as far as it matters to others on its nodes. */
    record Owner(
            @Nullable String user,
            @Nullable String group,
            @Nullable String account) {
        static Owner of(Job job) {
            JobCredentials credentials = job.request().credentials();
            return new Owner(credentials.user(), credentials.group(), credentials.account());
        }
    }
}
