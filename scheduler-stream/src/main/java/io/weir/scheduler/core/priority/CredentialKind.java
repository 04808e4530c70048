package io.weir.scheduler.core.priority;

import io.weir.scheduler.core.job.Job;
import org.jspecify.annotations.Nullable;

/** The names of a job that policy can be about. */
public enum CredentialKind {
    USER,
    GROUP,
    ACCOUNT,
    QOS,
    CLASS;

    /** Returns the name of this kind that {@code job} has; null for none. */
    public @Nullable String of(Job job) {
        return switch (this) {
            case USER -> job.request().credentials().user();
            case GROUP -> job.request().credentials().group();
            case ACCOUNT -> job.request().credentials().account();
            case QOS -> job.qos();
            case CLASS -> job.request().credentials().jobClass();
        };
    }
}
