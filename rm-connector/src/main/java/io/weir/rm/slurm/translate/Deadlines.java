package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.SlurmJob;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Deadlines of jobs ({@code sbatch --deadline}), which the queue's listing does not tell. Stateless. */
final class Deadlines {
    /** Slurm counts whole seconds, by a clock that may be a little behind: until it is certain, it might start the job. */
    private static final Duration CERTAIN = Duration.ofSeconds(2);

    private Deadlines() {}

    /** Says whether a job that has not begun can be over by its deadline no longer. */
    static boolean isMissed(SlurmJob job, Instant now) {
        @Nullable Instant latest = job.latestStart();
        return latest != null && latest.plus(CERTAIN).isBefore(now);
    }
}
