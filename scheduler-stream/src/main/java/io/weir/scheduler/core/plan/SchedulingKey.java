package io.weir.scheduler.core.plan;

import io.weir.scheduler.core.job.Job;
import io.weir.scheduler.core.job.JobCredentials;
import io.weir.scheduler.core.reservation.JobAccess;
import org.jspecify.annotations.Nullable;

/**
 * What separates jobs with equal requests: of two jobs with one key, the one that asks for less never starts later.
 *
 * @param access their access to the administrative reservations
 * @param owner their owner; null as long as placement does not depend on it
 */
record SchedulingKey(JobAccess access, @Nullable Owner owner) {
    /** The owner of a job, as far as node limits and node access depend on it. */
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
