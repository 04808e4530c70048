package io.weir.rm.slurm.start;

import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that Slurm's accounting has yet to register, as far as starts tell. slurmctld looks at such a job five times, a second
 * apart, before it refuses to change it, and whoever asked waits as long. It has jobs registered in the order in which they are
 * submitted. So while one waits, those behind it need not be tried, unless one of these was found registered: then the
 * registration of the first is lost and says nothing of others. One thread.
 */
final class AccountingBacklog {
    /** How long one refusal speaks for jobs behind; after it the next of them is tried. */
    private static final Duration SPEAKS_FOR_OTHERS = Duration.ofSeconds(20);

    /** When the first job of the backlog was submitted; null while there is none. */
    private @Nullable Instant first;

    private Instant until = Instant.MIN;

    /** When the last job was submitted that was found registered. */
    private Instant registered = Instant.MIN;

    /** A start of {@code job} was refused because it is not registered. */
    void refused(SlurmJob job, Instant now) {
        @Nullable Instant submitted = job.submitted();
        if (submitted != null && submitted.isAfter(registered)) {
            first = submitted;
            until = now.plus(SPEAKS_FOR_OTHERS);
        }
    }

    /** A start of {@code job} was accepted; returns whether that ends a backlog. */
    boolean accepted(SlurmJob job) {
        @Nullable Instant submitted = job.submitted();
        if (submitted == null) {
            return false;
        }
        if (submitted.isAfter(registered)) {
            registered = submitted;
        }
        boolean over = first != null && !submitted.isBefore(first);
        if (over) {
            first = null;
        }
        return over;
    }

    /** Says whether {@code job} is not to be tried now, as one before it is not registered. */
    boolean includes(SlurmJob job, Instant now) {
        @Nullable Instant submitted = job.submitted();
        return first != null && submitted != null && !submitted.isBefore(first) && now.isBefore(until);
    }
}
