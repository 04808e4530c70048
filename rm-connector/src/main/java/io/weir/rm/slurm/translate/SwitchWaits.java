package io.weir.rm.slurm.translate;

import io.weir.rm.slurm.client.QueueLine;
import io.weir.rm.slurm.client.SlurmJob;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Until when jobs wait for nodes of one switch ({@code sbatch --switches=1@5:00}): as with Slurm, so long from when nothing else
 * keeps a job back. Nothing of it outlives the process; losing it lets a job wait once more. One thread.
 */
final class SwitchWaits {
    private final Map<String, Instant> since = new HashMap<>();

    /** Takes note that nothing but the choice of nodes keeps a job waiting. */
    void waits(SlurmJob job, Instant now) {
        if (wishes(job)) {
            since.putIfAbsent(job.key(), now);
        }
    }

    /** Returns until when a job waits for nodes of one switch; null where it does not, or is kept back so far. */
    @Nullable
    Instant end(SlurmJob job) {
        @Nullable Instant begun = wishes(job) ? since.get(job.key()) : null;
        return begun == null ? null : begun.plusSeconds(job.note().oneSwitchSeconds());
    }

    /** Forgets all jobs that are not in the queue. */
    void retain(Collection<QueueLine> queue) {
        if (!since.isEmpty()) {
            since.keySet().retainAll(queue.stream().map(QueueLine::id).collect(Collectors.toSet()));
        }
    }

    private static boolean wishes(SlurmJob job) {
        return job.isPending()
                && job.component() == null
                && job.restarts() == 0
                && job.note().oneSwitchSeconds() > 0;
    }
}
