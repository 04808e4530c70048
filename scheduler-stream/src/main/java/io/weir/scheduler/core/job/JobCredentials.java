package io.weir.scheduler.core.job;

import org.jspecify.annotations.Nullable;

/**
 * The names attached to a job; each null when not given.
 *
 * @param name job name
 * @param user user
 * @param group group
 * @param account account
 * @param jobClass class (queue)
 * @param qos quality of service
 */
public record JobCredentials(
        @Nullable String name,
        @Nullable String user,
        @Nullable String group,
        @Nullable String account,
        @Nullable String jobClass,
        @Nullable String qos) {
    /** Returns the same names with another account. */
    JobCredentials ofAccount(String other) {
        return new JobCredentials(name, user, group, other, jobClass, qos);
    }
}
